"""A program that a gateway starts for a callback: `fetcher.py FILE MODE TICKET`.

It fetches its callback at SWITCHYARD_GATEWAY, and writes the answer and its own start into FILE. Modes: fetch; fail
(ends with status 3); sleep (waits forever); twice (fetches again with the same ticket); stay (fetches, and does not end);
torn (asks, and does not read the answer)."""

import http.client
import json
import os
import select
import signal
import socket
import sys
import time

path, mode, ticket = sys.argv[1:4]
if mode == "fail":
    sys.exit(3)


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.environ["SWITCHYARD_GATEWAY"].removeprefix("unix:"))


def fetch():
    connection = Connection("localhost")
    connection.request("POST", "/v1/tickets", json.dumps({"ticket": ticket}), {"Content-Type": "application/json"})
    if mode == "torn":
        # A question counts only if the gateway has read it before the program ended.
        select.select([connection.sock], [], [], 30)
        os.kill(os.getpid(), signal.SIGKILL)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


report = {
    "ticket": ticket, "environment": dict(os.environ), "session": os.getsid(0), "process": os.getpid(),
    "descriptors": {name: os.readlink(f"/proc/self/fd/{name}") for name in ("0", "1", "2")}, "folder": os.getcwd(),
}
print("what a program says must not be in the gateway's log")
if mode == "sleep":
    with open(path + ".new", "w") as file:
        json.dump(report, file)
    os.rename(path + ".new", path)
    time.sleep(60)
report["answers"] = [fetch() for _ in range(2 if mode == "twice" else 1)]
with open(path + ".new", "w") as file:
    json.dump(report, file)
os.rename(path + ".new", path)
if mode == "stay":
    time.sleep(60)
