"""The troubles of a run, and their times."""

import asyncio
import errno
import random
import signal
import time

from harness.programs import eventually


class Troubles:
    """Kills at random points, and as many smaller troubles. The seed decides which and when; what they meet is chance."""

    def __init__(self, world, seed, sign_ins, kills):
        self._world, self._random = world, random.Random(f"{seed}/troubles")
        self._points = {}
        for kind in ["kill"] * kills + ["other"] * kills:
            self._points.setdefault(self._random.randrange(sign_ins), []).append(kind)
        self._locks, self._tasks = {}, []
        self.told = []

    def at(self, number):
        """A sign-in begins: whatever is due now comes."""
        for kind in self._points.pop(number, []):
            trouble = self._random.choice(self._kills() if kind == "kill" else self._others())
            self._tasks.append(asyncio.create_task(self._bring(*trouble)))

    async def finish(self):
        """Waits until everything is well again."""
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result

    async def _bring(self, name, target, trouble, *arguments):
        # One trouble at a time for each program, and for all servers of a store: no second one is lost before the copies of the
        # first are made.
        store = self._world.store
        one = store if store is not None and target in store.nodes else target
        async with self._locks.setdefault(id(one), asyncio.Lock()):
            self.told.append(name)
            if one is store:
                self._world.fail_overs.append(time.monotonic())
            self._world.well.troubles += 1
            try:
                await trouble(target, *arguments)
                if one is store:
                    await asyncio.to_thread(eventually, store.is_whole, 120, "a store that is whole again")
            finally:
                if one is store:
                    self._world.fail_overs.append(time.monotonic())
                self._world.well.troubles -= 1

    def _kills(self):
        gateway, pause = self._random.choice(self._world.gateways), self._random.uniform(0, 1)
        restart = self._in_thread(self._world.restart)
        kills = [("gateway killed", gateway, restart, signal.SIGKILL, pause)] * 2
        kills += [("gateway stopped", gateway, restart, signal.SIGTERM, pause)]
        upgrade = self._in_thread(self._world.upgrade)
        kills += [("gateway upgraded", gateway, upgrade), ("gateway killed in an upgrade", gateway, upgrade, pause * 0.5)]
        if self._world.store is not None:
            node = self._random.choice(self._world.store.nodes)
            # Long enough for a fail-over, now and then.
            kills += [("store killed", node, restart, signal.SIGKILL, self._random.uniform(0, 4))] * 2
        return kills

    def _others(self):
        gateway, seconds = self._random.choice(self._world.gateways), self._random.uniform(0.3, 3)
        others = [
            ("gateway frozen", gateway, self._in_thread(self._world.freeze), seconds),
            ("connections to a gateway cut", gateway, self._cut, "links"),
            ("connections to a gateway stalled", gateway, self._stall, "links", seconds),
            ("issuer slow", self._world.issuer, self._slow, self._random.randrange(500, 6000)),
        ]
        if gateway.disk is not None:
            others += [
                ("disk full", gateway, self._spoil_disk, {"write_error": errno.ENOSPC}, seconds),
                ("disk failing", gateway, self._spoil_disk, {"sync_error": errno.EIO}, seconds),
                ("disk stalled", gateway, self._spoil_disk, {"is_stalled": 1}, seconds),
            ]
        if gateway.redis_links:
            others += [
                ("connections to the store cut", gateway, self._cut, "redis_links"),
                ("connections to the store stalled", gateway, self._stall, "redis_links", seconds),
            ]
        if self._world.store is not None:
            node = self._random.choice(self._world.store.nodes)
            others += [("store frozen", node, self._in_thread(self._world.freeze), seconds)]
        return others

    @staticmethod
    def _in_thread(function):
        async def bring(*arguments):
            await asyncio.to_thread(function, *arguments)
        return bring

    @staticmethod
    async def _cut(gateway, links):
        for link in getattr(gateway, links):
            link.cut()

    @staticmethod
    async def _stall(gateway, links, seconds):
        for link in getattr(gateway, links):
            link.stall()
        await asyncio.sleep(seconds)
        for link in getattr(gateway, links):
            link.flow()

    @staticmethod
    async def _spoil_disk(gateway, ill, seconds):
        gateway.disk.set(**ill)
        await asyncio.sleep(seconds)
        gateway.disk.set()

    @staticmethod
    async def _slow(issuer, milliseconds):
        await asyncio.to_thread(issuer.control, token="answer", delay=milliseconds, times=5)
