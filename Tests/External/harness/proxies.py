"""Real proxies in front of a gateway, each with the configuration that the book shows, but for its ports, names and folders."""

import os
import socket
import subprocess

from harness.book import Page
from harness.programs import CERTIFICATES, ROOT, eventually, free_port


class Proxy:
    """One of them at a Unix socket of a gateway, in a folder of its own. `port` is where browsers come."""

    def __init__(self, folder, gateway, port):
        self.folder, self.socket, self.port = folder, gateway.removeprefix("unix:"), port
        folder.mkdir()
        self.errors = folder / "proxy.log"
        self.process = None

    def start(self):
        with self.errors.open("wb") as output:
            self.process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=output, stderr=output,
                env=os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)})
        try:
            eventually(lambda: self.process.poll() is not None or self.answers(), seconds=20, what=type(self).__name__)
            assert self.process.poll() is None, self.errors.read_text()
        except AssertionError:
            self.stop()
            raise
        return self

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=20)

    def answers(self):
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def adapted(self, text, changes):
        """The text with each piece replaced; all of them have to be there."""
        for shown, here in changes.items():
            assert shown in text, shown
            text = text.replace(shown, str(here))
        return text

    def logs(self):
        """Everything that it wrote, wherever."""
        return b"".join(file.read_bytes() for file in self.folder.rglob("*") if file.is_file() and not self.is_ours(file))

    def is_ours(self, file):
        return file.suffix in (".conf", ".cfg", ".pem", ".key") or file.name == "Caddyfile"


class Nginx(Proxy):
    """deploy/nginx.conf."""

    def command(self):
        folder = self.folder
        site = self.adapted((ROOT / "deploy" / "nginx.conf").read_text(), {
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "listen [::]:443 ssl http2;": "",
            "server_name login.contoso.com;": "server_name localhost;",
            "server unix:/run/switchyard/proxy.sock;": f"server unix:{self.socket};",
            "/etc/switchyard/tls": CERTIFICATES,
            "/var/log/nginx": folder,
        })
        (folder / "site.conf").write_text(site)
        (folder / "nginx.conf").write_text(
            f"user root; daemon off; pid {folder}/nginx.pid; worker_processes 1; error_log {folder}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
            f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n"
            f"include {folder}/site.conf; }}\n")
        return ["/usr/sbin/nginx", "-e", folder / "error.log", "-c", folder / "nginx.conf"]

    @property
    def access_log(self):
        return (self.folder / "switchyard.log").read_text()


class NginxOfSeveral(Nginx):
    """deploy/nginx.conf with the two pieces of docs/proxies/several.md, in front of the Unix sockets of two gateways."""

    def __init__(self, folder, first, second, port):
        super().__init__(folder, first, port)
        self.second = second.removeprefix("unix:")

    def adapted(self, text, changes):
        page = Page("docs/proxies/several.md")
        upstream = super().adapted(page.file("upstream.conf"), {
            "10.0.1.11:8443": f"unix:{self.socket}", "10.0.1.12:8443": f"unix:{self.second}"})
        location = super().adapted(page.file("location.conf"), {"https://switchyard": "http://switchyard"})
        changes.pop("server unix:/run/switchyard/proxy.sock;")
        return super().adapted(text, changes | {
            "upstream switchyard {\n    server unix:/run/switchyard/proxy.sock;\n    keepalive 32;\n}\n": upstream,
            "proxy_pass http://switchyard;\n": location,
            "proxy_next_upstream off;\n": "",
        })


class HAProxy(Proxy):
    """docs/proxies/haproxy.md."""

    def command(self):
        folder = self.folder
        pem = folder / "login.pem"
        pem.write_bytes((CERTIFICATES / "server.pem").read_bytes() + (CERTIFICATES / "server.key").read_bytes())
        (folder / "haproxy.cfg").write_text(self.adapted(Page("docs/proxies/haproxy.md").file("haproxy.cfg"), {
            "    user haproxy\n    group haproxy\n": "",
            "log /dev/log local0": "log stdout format raw local0",
            "    bind [::]:443 ssl crt /etc/haproxy/login.contoso.com.pem alpn h2,http/1.1\n": "",
            "bind :443 ssl crt /etc/haproxy/login.contoso.com.pem": f"bind 127.0.0.1:{self.port} ssl crt {pem}",
            "/run/switchyard/proxy.sock": self.socket,
        }))
        return ["/usr/sbin/haproxy", "-db", "-f", folder / "haproxy.cfg"]

    @property
    def access_log(self):
        return self.errors.read_text()


class Caddy(Proxy):
    """docs/proxies/caddy.md."""

    def command(self):
        folder = self.folder
        (folder / "Caddyfile").write_text(self.adapted(Page("docs/proxies/caddy.md").file("Caddyfile"), {
            # The port for administration and the one for plain http are another program's here.
            "{\n\t# Caddy's own log": f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {free_port()}\n\t# Caddy's own log",
            "login.contoso.com {": f"localhost:{self.port} {{\n\tbind 127.0.0.1",
            "/etc/switchyard/tls": CERTIFICATES,
            "/var/log/caddy": folder,
            "/run/switchyard/proxy.sock": self.socket,
        }))
        return ["/usr/bin/caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]

    @property
    def access_log(self):
        return (self.folder / "switchyard.log").read_text()


KINDS = {"nginx": Nginx, "haproxy": HAProxy, "caddy": Caddy}
