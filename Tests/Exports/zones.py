"""Writes random instants with the zone, the offset and the local date that Python's zoneinfo gives them.

    python3 zones.py 400 > zones.csv
    python3 zones.py 1000000 7 > /tmp/zones.csv      # another seed; METRICC_ZONES=/tmp/zones.csv swift test …

Half of the instants lie near a change of the clocks or near a local midnight. Years from 1970 to 2037.
"""

import datetime
import random
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
LAST = int((datetime.datetime(2038, 1, 1, tzinfo=datetime.timezone.utc) - EPOCH).total_seconds()) - 1
# The date line, quarter hours, half an hour of summer time, and zones that changed sides.
TELLING = [
    "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Apia", "Pacific/Kwajalein",
    "Pacific/Chatham", "Australia/Lord_Howe", "Asia/Kathmandu", "Asia/Kolkata", "America/St_Johns",
    "Africa/Casablanca", "Asia/Pyongyang", "Pacific/Pago_Pago", "Antarctica/Troll", "Etc/GMT+12", "Asia/Manila",
]


def offset(zone, second):
    return int((EPOCH + datetime.timedelta(seconds=second)).astimezone(zone).utcoffset().total_seconds())


def change(zone, chance):
    """A second at which the offset changes, or nothing: looked for in steps of days, then by halves."""
    start = chance.randrange(0, LAST - 400 * 86_400)
    before = offset(zone, start)
    for step in range(400):
        high = start + (step + 1) * 86_400
        if offset(zone, high) != before:
            low = high - 86_400
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
            return high
    return None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    names = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("posix"))
    names = [name for name in names if not name.startswith(("right/", "SystemV/"))]
    print("zone,second,offset,day")
    for number in range(count):
        name = chance.choice(TELLING) if number % 2 else chance.choice(names)
        zone = zoneinfo.ZoneInfo(name)
        second = chance.randrange(0, LAST)
        kind = number % 4
        if kind == 1:
            second = (change(zone, chance) or second) + chance.randrange(-2, 3)
        elif kind == 2:
            local = second + offset(zone, second)
            second += chance.randrange(-1, 2) - local % 86_400
        second = min(max(second, 0), LAST)
        moment = (EPOCH + datetime.timedelta(seconds=second)).astimezone(zone)
        print(f"{name},{second},{int(moment.utcoffset().total_seconds())},{moment.date().isoformat()}")


main()
