"""An app that uses SwitchyardClient: `client-probe` in a process of its own, steered line by line."""

import json
import subprocess
import threading
import time
import uuid

from harness.programs import SWITCHYARD

PROBE = SWITCHYARD.parent / "client-probe"


class ClientApp:
    """Commands go in as JSON, what happens comes out as JSON; any number of commands at once."""

    def __init__(self, env=None, **settings):
        self.events, self.logs = {}, []
        self._news = threading.Condition()
        self.process = subprocess.Popen(
            [PROBE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        self._send(settings)
        self.ready = json.loads(self.process.stdout.readline())
        threading.Thread(target=self._read, daemon=True).start()

    def _send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def _read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            with self._news:
                if "log" in event:
                    self.logs.append(event)
                else:
                    self.events.setdefault(event["id"], []).append(event)
                self._news.notify_all()

    def begin(self, do, **fields):
        """Begins a command; returns its id."""
        name = uuid.uuid4().hex
        self._send({"id": name, "do": do} | fields)
        return name

    def wait(self, name, *kinds, seconds=60):
        """The first event of a command that has one of these members and was not waited for yet."""
        end = time.monotonic() + seconds
        with self._news:
            while True:
                events = self.events.get(name, [])
                for event in events:
                    if any(kind in event for kind in kinds):
                        events.remove(event)
                        return event
                left = end - time.monotonic()
                assert left > 0, f"nothing of {kinds} came in {seconds} s: {self.events}"
                self._news.wait(left)

    def end(self, name, seconds=60):
        """The outcome: a result, or the error under `error`."""
        event = self.wait(name, "result", "error", seconds=seconds)
        return event.get("result") or {"error": event["error"]} if "error" in event else event["result"]

    def call(self, do, **fields):
        return self.end(self.begin(do, **fields))

    def begin_sign_in(self, *scopes, **fields):
        """Begins a sign-in; returns its id and the address for the browser."""
        name = self.begin("acquire", scopes=list(scopes or ["mail.read"]), **fields)
        event = self.wait(name, "present", "error")
        assert "present" in event, event
        return name, event["present"]

    def stop(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(10)
