"""`make chaos`: sign-ins while programs die, and the account of every one of them."""

import argparse
import asyncio
import collections
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "External"))

from chaos.ledger import Ledger  # noqa: E402
from chaos.signin import SignIn  # noqa: E402
from chaos.troubles import Troubles  # noqa: E402
from chaos.world import World  # noqa: E402
from harness.programs import SWITCHYARD  # noqa: E402

STORES = ("sqlite", "redis", "sentinel", "cluster")


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tests/Chaos/run", formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        description="Signs in many times while gateways and stores are killed, frozen, cut off and slowed, and accounts for every sign-in.",
        epilog="example: Tests/Chaos/run --store redis --sign-ins 10000 --kills 50")
    parser.add_argument("--store", choices=STORES, action="append", help="what the gateways keep requests in; may be repeated (default: sqlite)")
    parser.add_argument("--sign-ins", type=int, default=1000, help="how many")
    parser.add_argument("--kills", type=int, default=20, help="how often a gateway or a store is ended, and how many smaller troubles come beside")
    parser.add_argument("--at-once", type=int, default=40, help="how many sign-ins are under way")
    parser.add_argument("--gateways", type=int, default=2, help="how many, where a store takes more than one")
    parser.add_argument("--leisure", type=float, default=0.4, help="how many seconds a person takes for a step, on average")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="decides apps, people and troubles")
    parser.add_argument("--together", action="store_true", help="run the stores side by side, not one after the other")
    parser.add_argument("--keep", action="store_true", help="keep the logs also when all is well")
    return parser.parse_args()


async def play(options, store, folder):
    """One run. Returns its ledger."""
    world, ledger = World(folder, store, options.gateways, options.leisure), Ledger()
    begun = time.monotonic()
    try:
        await world.start()
        clock = asyncio.create_task(world.well.run())
        troubles = Troubles(world, options.seed, options.sign_ins, options.kills)
        slots, sign_ins, tasks = asyncio.Semaphore(options.at_once), [], []

        async def one(sign_in):
            try:
                await sign_in.run()
            finally:
                slots.release()

        for number in range(options.sign_ins):
            await slots.acquire()
            troubles.at(number)
            sign_ins.append(SignIn(number, world, ledger, options.seed))
            tasks.append(asyncio.create_task(one(sign_ins[-1])))
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, BaseException):
                ledger.violations.append(f"the test itself failed: {result!r}")
        await troubles.finish()
        clock.cancel()
        codes = [code for sign_in in sign_ins for code in sign_in.codes]
        times = await asyncio.to_thread(lambda: {code: world.issuer.times_redeemed(code) for code in codes})
        ledger.judge_codes(sign_ins, times)
        tell(options, store, ledger, troubles, codes, times, time.monotonic() - begun)
    finally:
        world.stop()
    return ledger


def tell(options, store, ledger, troubles, codes, times, seconds):
    told = collections.Counter(troubles.told)
    print(f"{store}: {sum(ledger.ends.values())} of {options.sign_ins} sign-ins accounted for in {seconds:.0f} s, "
          f"seed {options.seed}")
    for name, count in [*sorted(ledger.ends.items()), ("codes issued", len(codes)),
                        ("codes that came to the issuer", sum(1 for code in codes if times[code])),
                        ("codes that came twice", sum(1 for code in codes if times[code] > 1))]:
        print(f"  {count:6} {name}")
    print("  troubles: " + ", ".join(f"{count} × {name}" for name, count in sorted(told.items())))
    print("  set-backs: " + ", ".join(f"{count} × {name}" for name, count in sorted(ledger.notes.items())))
    print(f"  the longest sign-in took {ledger.longest:.1f} s", flush=True)


def main():
    options = arguments()
    if not SWITCHYARD.exists():
        sys.exit(f"{SWITCHYARD} does not exist: run `make chaos`, or set SWITCHYARD_BIN")
    stores = options.store or ["sqlite"]
    if options.together:
        results = asyncio.run(play_all(options, stores))
    else:
        results = [asyncio.run(play_all(options, [store]))[0] for store in stores]
    sys.exit(0 if all(results) else 1)


async def play_all(options, stores):
    return await asyncio.gather(*(judge(options, store) for store in stores))


async def judge(options, store):
    """One run, and whether all was well in it."""
    folder = Path(tempfile.mkdtemp(prefix=f"switchyard-chaos-{store}-"))
    ledger = await play(options, store, folder)
    missing = options.sign_ins - sum(ledger.ends.values())
    if ledger.violations or missing:
        for violation in ledger.violations[:50]:
            print(f"  VIOLATION {violation}")
        print(f"  {store}: {len(ledger.violations)} violations, {missing} sign-ins without an end; the logs are in {folder}")
        return False
    if options.keep:
        print(f"  the logs are in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return True


if __name__ == "__main__":
    main()
