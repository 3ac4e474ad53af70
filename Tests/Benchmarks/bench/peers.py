"""nginx and Apache from Debian, with private configurations as good as we can write them.

Resumption is off for both, in all its forms, as it is in Switchyard: no session tickets are sent.
"""

import os

from bench.machine import CERTIFICATES
from bench.metadata import TrimmedMetadata
from bench.processes import Server, accepts, free_port

NGINX = """
daemon off;
worker_processes 1;
worker_rlimit_nofile {open_files};
pid {folder}/nginx.pid;
error_log /dev/null crit;
{user}
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_timeout 300s;
    keepalive_requests 1000000000;
    server {{
        listen 127.0.0.1:{port} ssl;
        server_name localhost;
        ssl_certificate {certificates}/server.pem;
        ssl_certificate_key {certificates}/server.key;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_session_cache off;
        ssl_session_tickets off;
        ssl_conf_command NumTickets 0;
        location = /legacy {{ return 302 x-legacy://callback?$args; }}
    }}
}}
"""

APACHE = """
ServerName localhost
ServerRoot {folder}
DefaultRuntimeDir {folder}
PidFile {folder}/apache.pid
Listen 127.0.0.1:{port}
ErrorLog /dev/null
LogLevel emerg
{user}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule ssl_module {modules}/mod_ssl.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so
StartServers 1
ServerLimit 1
ThreadsPerChild 64
ThreadLimit 64
MaxRequestWorkers 64
MinSpareThreads 1
MaxSpareThreads 64
MaxConnectionsPerChild 0
KeepAlive On
MaxKeepAliveRequests 0
KeepAliveTimeout 60
SSLSessionCache none
SSLSessionTickets off
SSLOpenSSLConfCmd NumTickets 0
SSLProtocol -all +TLSv1.2 +TLSv1.3
DocumentRoot {folder}/site
<VirtualHost 127.0.0.1:{port}>
    SSLEngine on
    SSLCertificateFile {certificates}/server.pem
    SSLCertificateKeyFile {certificates}/server.key
</VirtualHost>
OIDCProviderMetadataURL {metadata}
OIDCProviderTokenEndpointAuth none
OIDCClientID ABCDE-12345
OIDCResponseType code
OIDCScope "openid profile"
OIDCPKCEMethod S256
OIDCRedirectURI https://localhost:{port}/callback
OIDCCryptoPassphrase only-for-the-benchmark
OIDCCABundlePath {certificates}/ca.pem
{sessions}
<Location />
    Require all denied
</Location>
<Location /callback>
    AuthType openid-connect
    Require valid-user
</Location>
<Location /protected/>
    AuthType openid-connect
    Require valid-user
</Location>
"""

# Measured, the two cost about the same: one is encrypted, the other is looked for among all.
SESSIONS_IN_COOKIE = "OIDCSessionType client-cookie"
SESSIONS_IN_CACHE = "OIDCSessionType server-cache\nOIDCCacheType shm"

MODULES = "/usr/lib/apache2/modules"


class Nginx(Server):
    """nginx that answers a callback by `return 302`."""

    def __init__(self, work, core, open_files):
        self.port = free_port()
        folder = work / f"nginx-{self.port}"
        folder.mkdir()
        file = folder / "nginx.conf"
        file.write_text(NGINX.format(
            folder=folder, port=self.port, certificates=CERTIFICATES, open_files=min(open_files, 16384),
            user="user root;" if os.geteuid() == 0 else "",
        ))
        super().__init__("nginx", ["/usr/sbin/nginx", "-p", folder, "-e", "/dev/null", "-c", file], core)

    def is_ready(self):
        return accepts(self.port)


class Apache(Server):
    """Apache with a page below /protected/ that asks for a sign-in through mod_auth_openidc."""

    def __init__(self, work, core, issuer, sessions):
        self.port = free_port()
        self._metadata = TrimmedMetadata(issuer)
        folder = work / f"apache-{self.port}"
        (folder / "site" / "protected").mkdir(parents=True)
        (folder / "site" / "protected" / "index.html").write_text("signed in\n")
        file = folder / "apache.conf"
        file.write_text(APACHE.format(
            folder=folder, port=self.port, certificates=CERTIFICATES, modules=MODULES,
            metadata=self._metadata.url, sessions=sessions,
            user="User www-data\nGroup www-data" if os.geteuid() == 0 else "",
        ))
        super().__init__("apache", ["/usr/sbin/apache2", "-DFOREGROUND", "-d", folder, "-f", file], core)

    def is_ready(self):
        return accepts(self.port)

    def stop(self):
        super().stop()
        self._metadata.close()
