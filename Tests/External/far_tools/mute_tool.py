"""Prints the address of its sign-in, takes each callback at either loopback address of its port, and never says a word:
its side of the connection is shut, and stays open. Usage: AUTHORIZATION_ENDPOINT HOST PORT STATE"""

import select
import socket
import sys
import urllib.parse

endpoint, host, port, state = sys.argv[1:5]
servers = [socket.create_server(("127.0.0.1", int(port))), socket.create_server(("::1", int(port)), family=socket.AF_INET6)]
query = urllib.parse.urlencode({
    "response_type": "code", "client_id": "contoso-suite", "state": state, "redirect_uri": f"http://{host}:{port}/cb"})
print(f"Open this:\n\n{endpoint}?{query}\n", flush=True)
kept = []
while True:
    for server in select.select(servers, [], [])[0]:
        connection, _ = server.accept()
        kept.append(connection)
        print("RECEIVED", connection.recv(65536).split(b"\r\n")[0], flush=True)
        connection.shutdown(socket.SHUT_WR)
