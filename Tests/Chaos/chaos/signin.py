"""One sign-in: an app that follows the rules, and a patient person at a browser."""

import asyncio
import json
import random
import re
import time
from html import unescape
from urllib.parse import parse_qs, quote, urljoin, urlsplit

from chaos.web import Answer, Broken, Endless
from harness.held import NETWORK, NONE

# Their codes are not held: the one has no protection, the other sees the same network.
UNHELD = {NONE, NETWORK}
# Come again.
PASSING = {429, 502, 503, 504}


# Longer than any request lives: until its callback comes, until its release, and until two leases are over.
LIFE = 75
# How many seconds in which all is well somebody waits for a good answer.
PATIENCE = 70


class SignIn:
    """
    :param seed: decides its app, how its app waits, and how quick its person is
    """

    def __init__(self, number, world, ledger, seed):
        self.number, self.world, self.ledger = number, world, ledger
        self.random = random.Random(f"{seed}/{number}")
        self.app = self.random.choice(world.apps)
        self.streams = self.random.random() < 0.4
        # Through our own page first, as an app does that wants its person's browser bound to it.
        self.starts = "started" in self.app or self.random.random() < 0.3
        self.doubles = self.random.random() < 0.15
        self.reads_again = self.random.random() < 0.15
        self.web = world.web
        self.reference, self.codes, self.is_completed, self.is_taken_back = None, [], False, False
        self._proof = asyncio.get_running_loop().create_future()
        self._outcome = None
        self._cookies = {}
        # The person, and the release, while the app waits.
        self._beside = []
        # Apps keep their connection for the next call; browsers come on new ones.
        self._kept = []
        # Notes of its events, for the search after a bad end.
        self.course = []

    async def run(self):
        begun, self._patience = time.monotonic(), self.world.well.seconds + PATIENCE
        try:
            await self._begin()
            self._beside = [asyncio.create_task(self._be_a_person())]
            await self._wait_for_the_end()
            await self._acknowledge()
            for task in self._beside:
                task.cancel()
            for result in await asyncio.gather(*self._beside, return_exceptions=True):
                if isinstance(result, Exception):
                    self.ledger.violation(self, str(result) if isinstance(result, Violated) else f"its person met {result!r}")
            self.ledger.end(self, self._outcome, time.monotonic() - begun)
        except Violated as violated:
            self.ledger.violation(self, str(violated))
            if self.is_taken_back:
                self.ledger.end(self, {"error": {"code": "taken back by a fail-over"}}, time.monotonic() - begun)
        finally:
            for task in self._beside:
                task.cancel()
            for _, writer in self._kept:
                writer.transport.abort()
            # A connection over TLS takes a quarter of a megabyte.
            self._kept.clear()

    async def _again(self, attempt, what):
        """Tries until there is an answer that does not ask to come again; a little later each time."""
        tries = 0
        while True:
            try:
                answer = await attempt()
                self._tell(f"{answer.status} for {what}")
                if answer.status not in PASSING:
                    return answer
                pause = answer.pause
                self.ledger.note(f"{answer.status} for {what}")
            except Broken:
                pause = 0.2
                self.ledger.note(f"no answer for {what}")
                self._tell(f"no answer for {what}")
            if self._is_out_of_patience:
                raise Violated(f"hung: {what} never succeeded")
            # Sixty that come again at once would keep a slow machine from answering any of them.
            await asyncio.sleep(min(pause * 1.2 ** tries, 4) * self.random.uniform(0.5, 1.5))
            tries += 1

    @property
    def _is_out_of_patience(self):
        return self.world.well.seconds > self._patience

    @property
    def _is_over(self):
        """Whether no request can live any more that was begun when this one was."""
        return time.monotonic() > self._begun_at + LIFE

    @property
    def may_be_taken_back(self):
        """Whether a server of the store took another's place while this went on."""
        return hasattr(self, "_begun_at") and self.world.may_have_taken_back(self._begun_at)

    def _tell(self, what):
        self.course.append(f"{time.strftime('%H:%M:%S')} {what}")

    # MARK: The app

    async def _begin(self):
        body = {"app": self.app, "scope": "openid profile", "extra_parameters": {"demo": "auto"}, "host_label": "chaos"}
        if self.app.endswith("device"):
            body["return_port"] = 40406

        async def attempt():
            # Its life begins before the answer is here.
            self._begun_at = time.monotonic()
            return await self._fetch("POST", "", body)

        answer = await self._again(attempt, "begin")
        if answer.status != 201:
            raise Violated(f"begin was answered {answer.status}: {answer.body[:300]!r}")
        self.begun = answer.json
        self.reference = self.begun["reference"]

    async def _call(self, method, path, body=None, what=""):
        return await self._again(lambda: self._fetch(method, path, body), what)

    async def _fetch(self, method, path, body=None, seconds=20):
        headers = {"Authorization": f"Bearer {self.begun['result_token']}"} if hasattr(self, "begun") else {}
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        return await self.web.fetch(method, self._url(path), headers, content, seconds, self._kept)

    def _url(self, path=""):
        return self.world.api + "/v1/requests" + (f"/{quote(self.begun['id'])}{path}" if hasattr(self, "begun") else "")

    async def _wait_for_the_end(self):
        seen = "pending"
        while self._outcome is None:
            if self._is_out_of_patience:
                raise Violated("hung: no answer for its app")
            self._was_over = self._is_over
            if self.streams:
                seen = await self._read_stream(seen)
            else:
                headers = {"Authorization": f"Bearer {self.begun['result_token']}", "Prefer": "wait=5"}
                answer = await self._again(
                    lambda: self.web.fetch("GET", self._url(f"?seen={seen}"), headers, seconds=25, kept=self._kept), "wait")
                seen = await self._take(answer, seen)

    async def _read_stream(self, seen):
        headers = {"Authorization": f"Bearer {self.begun['result_token']}"}
        try:
            async for event in self.web.events(self._url(), headers, until=self._begun_at + LIFE + 20):
                if isinstance(event, Answer):
                    self._tell(f"{event.status} for stream")
                    if event.status in PASSING:
                        self.ledger.note(f"{event.status} for stream")
                        await asyncio.sleep(event.pause)
                        return seen
                    return await self._take(event, seen)
                seen = await self._take_status(event, seen)
                if self._outcome is not None:
                    return seen
        except Endless:
            raise Violated("hung: its stream never told of an end") from None
        except Broken:
            self.ledger.note("no answer for stream")
        await asyncio.sleep(0.2)
        return seen

    async def _take(self, answer, seen):
        if answer.status in (200, 202):
            return await self._take_status(answer.json, seen)
        if answer.status == 410 or (answer.status == 404 and self._is_forgotten()):
            self._outcome = {"status": "failed", "error": {"code": "expired"}}
            return seen
        raise Violated(f"lost: its app was answered {answer.status} {answer.body[:200]!r}")

    async def _take_status(self, body, seen):
        status = body.get("status")
        self._tell(f"its app hears {status}")
        if status in ("pending", "release_required") and self._was_over:
            raise Violated(f"hung: still {status}")
        if status == "release_required" and seen != "release_required":
            self._beside.append(asyncio.create_task(self._release()))
        elif status == "completed":
            self._check(body)
            self._outcome, self.is_completed, self._completed_at = body, True, time.monotonic()
        elif status == "failed":
            self._outcome = body
        return status or seen

    def _check(self, body):
        asked = parse_qs(urlsplit(self.begun["authorization_url"]).query) if "nonce=" in self.begun["authorization_url"] else {}
        if not body.get("token_response", {}).get("access_token"):
            raise Violated("completed without tokens")
        if asked and body["id_token_claims"]["nonce"] != asked["nonce"][0]:
            raise Violated("its app was given another sign-in's tokens")

    async def _release(self):
        """Sends the code that the person reads from the page, or the browser's ticket, once it is there."""
        proof = await asyncio.shield(self._proof)
        if proof is None:
            return
        answer = await self._call("POST", "/release", proof, "release")
        # 409 and 410: an earlier call released it and its answer was lost, or it is over.
        if answer.status not in (204, 404, 409, 410):
            raise Violated(f"a right proof was answered {answer.status} {answer.body[:200]!r}")

    async def _acknowledge(self):
        if self.is_completed and self.reads_again:
            answer = await self._call("GET", "", what="a second read")
            # After `result_lifetime` the result is gone.
            is_late = answer.status in (404, 410) and time.monotonic() > self._completed_at + 30
            if not is_late and (answer.status != 200 or answer.json != self._outcome):
                raise Violated(f"a second read was answered {answer.status}")
        answer = await self._call("DELETE", "", what="acknowledgement")
        if answer.status not in (204, 404, 410):
            raise Violated(f"the acknowledgement was answered {answer.status}")
        if self.reads_again:
            answer = await self._call("GET", "", what="a read after the acknowledgement")
            if answer.status not in (404, 410):
                raise Violated(f"there was a result after the acknowledgement: {answer.status}")

    # MARK: The person and the browser

    async def _be_a_person(self):
        try:
            await self._pause()
            where = self.begun["authorization_url"]
            if self.starts:
                answer = await self._browse(self.begun["start_url"], "start")
                if answer.status in (404, 410) and self._is_expired():
                    return
                if answer.status != 303:
                    raise Violated(f"the start was answered {answer.status}")
                where = answer.first("location")
            answer = await self._again(lambda: self.web.fetch("GET", where, seconds=20), "authorization")
            callback = answer.first("location") or ""
            code = parse_qs(urlsplit(callback).query).get("code", [None])[0]
            if code is None:
                raise Violated(f"the issuer answered {answer.status} {callback}")
            self.codes.append(code)
            await self._pause()
            answer = await self._deliver(callback)
            if answer.status != 303:
                if self._outcome is None and not (answer.status == 400 and self._is_expired()):
                    raise Violated(f"its callback was answered {answer.status}")
                return
            await self._read_page(urljoin(callback, answer.first("location")))
        except Violated as violated:
            # It is told once; the app still has to hear of an end.
            self.ledger.violation(self, str(violated))
        finally:
            if not self._proof.done():
                self._proof.set_result(None)

    def _is_expired(self):
        """Whether the request has lived its life, because everything was away for so long."""
        return time.monotonic() > self._begun_at + self.begun["expires_in"]

    def _is_forgotten(self):
        """Whether it is over for so long that its gateway need not remember it."""
        return time.monotonic() > self._begun_at + self.begun["expires_in"] + 60

    async def _deliver(self, callback):
        """The browser reloads a page that did not come. Some browsers send a callback twice at once."""
        if not self.doubles:
            return await self._browse(callback, "callback")
        first, second = await asyncio.gather(self._browse(callback, "callback"), self._browse(callback, "callback"))
        return first if first.first("set-cookie") or first.status != 303 else second

    async def _read_page(self, url):
        if self.app in UNHELD:
            return
        while self._outcome is None and not self._is_over:
            answer = await self._browse(url, "page")
            if answer.status == 303:
                self._proof.set_result({"ticket": parse_qs(urlsplit(answer.first("location")).query)["ticket"][0]})
                return
            found = re.search(r'<\w+[^>]*\sid="release-code"[^>]*>([^<]*)<', answer.body.decode(errors="replace"))
            if found:
                await self._pause()
                self._proof.set_result({"code": unescape(found[1]).strip().lower()})
                return
            if not any(self.reference in name for name in self._cookies):
                # The answer that brought the cookie was lost, and the callback is now a stranger's.
                self.ledger.note("page lost with the answer to the callback")
                return
            await asyncio.sleep(0.3)

    async def _browse(self, url, what):
        def attempt():
            cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            return self.web.fetch("GET", url, {"Cookie": cookies} if cookies else {}, seconds=20)

        answer = await self._again(attempt, what)
        for cookie in answer.all("set-cookie"):
            name, _, value = cookie.split(";")[0].partition("=")
            if "max-age=0" in cookie.lower():
                self._cookies.pop(name, None)
            else:
                self._cookies[name] = value
        return answer

    async def _pause(self):
        await asyncio.sleep(self.random.expovariate(1 / self.world.leisure))


class Violated(Exception):
    """Something happened that must not."""
