"""A real forward proxy (squid). Only it can resolve the names of certain hosts."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harness.programs import free_port
from harness.proxies import Proxy

SQUID = "/usr/sbin/squid"
USER = "proxy"
HELPER = "/usr/lib/squid/basic_ncsa_auth"


class ForwardProxy(Proxy):
    """`hosts` are the names that only this proxy knows; `user` and `password` are asked for where they are given."""

    def __init__(self, hosts=(), user=None, password=None, certificate=None, denied=()):
        # squid refuses to run as root, and its own user cannot see the folders of tests.
        folder = Path(tempfile.mkdtemp(prefix="switchyard-squid-"))
        super().__init__(folder / "proxy", "", free_port())
        folder = self.folder
        self.log = folder / "access.log"
        (folder / "hosts").write_text("".join(f"127.0.0.1 {name}\n" for name in hosts))
        lines = [
            "pid_filename none", "cache deny all", "shutdown_lifetime 0 seconds", "visible_hostname proxy.test",
            f"hosts_file {folder}/hosts", f"access_log stdio:{self.log} squid", f"cache_log {folder}/cache.log",
            f"coredump_dir {folder}", "dns_nameservers 127.0.0.1", "acl denied dstdomain " + " ".join(denied or ["none.invalid"]),
            # The answers of an issuer must not be seen here, so a proxy that is asked for more than a tunnel refuses.
            "acl tunnel method CONNECT", "http_access deny !tunnel", "http_access deny denied"]
        if os.geteuid() == 0:
            lines.append(f"cache_effective_user {USER}")
            folder.parent.chmod(0o755)
            shutil.chown(folder, USER)
        if certificate:
            for name, file in (("proxy.pem", certificate.pem), ("proxy.key", certificate.key_file)):
                shutil.copy(file, folder / name)
                (folder / name).chmod(0o644)
            lines.append(f"https_port 127.0.0.1:{self.port} tls-cert={folder}/proxy.pem tls-key={folder}/proxy.key")
        else:
            lines.append(f"http_port 127.0.0.1:{self.port}")
        if user:
            digest = subprocess.run(["openssl", "passwd", "-apr1", password], capture_output=True, text=True, check=True).stdout
            (folder / "users").write_text(f"{user}:{digest}")
            lines += [f"auth_param basic program {HELPER} {folder}/users", "acl known proxy_auth REQUIRED",
                      "http_access allow known", "http_access deny all"]
        else:
            lines.append("http_access allow all")
        self.configuration = folder / "squid.conf"
        self.configuration.write_text("\n".join(lines) + "\n")

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        super().stop()
        shutil.rmtree(self.folder.parent)

    def command(self):
        return [SQUID, "-N", "-n", f"switchyard{self.port}", "-f", self.configuration]

    def tunnels(self):
        """The servers to which it made tunnels, and the status that it answered with. Ends the proxy, which writes a tunnel down
        only when it is over."""
        super().stop()
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        found = [(fields[6], int(fields[3].split("/")[1])) for fields in map(str.split, lines)]
        # A probe of the port names no server.
        return [one for one in found if not one[0].startswith("error:")]
