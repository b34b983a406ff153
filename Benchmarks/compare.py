"""Reads results and holds them against each other, value by value."""

import csv

# metricc has one row a value, the peers one row a key; the funnel's steps are numbered there.
KEYS = {"habits": "habitId", "funnel": "step", "retention": "cohort", "actives": "at"}
STEPS = {"opened": "1", "added": "2", "started": "3", "finished": "4", "viewed": "5"}

# The peers compute with binary floating point, and round a half to even or away from zero.
TOLERANCE = 1.000001e-6


def metricc_values(path, query):
    """`(key, column)` to the text of the value."""
    values = {}
    with open(path, newline="") as file:
        for metric, subject, group, part, at, value in list(csv.reader(file))[1:]:
            if query == "habits":
                values[subject, metric] = value
            elif query == "funnel":
                values[STEPS[part], "users"] = value
            elif query == "retention":
                values[group, part] = value
            else:
                values[at, metric.replace("active_users", "monthly_actives")] = value
    return values


def peer_values(path, query):
    """The same of a peer's table."""
    values = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            key = row.pop(KEYS[query])[:10] if query in ("retention", "actives") else row.pop(KEYS[query])
            for column, value in row.items():
                values[key, column] = "" if value == "\\N" else value
    return values


def differences(ours, theirs):
    """Descriptions of what differs; none where the results are equal."""
    found = []
    for key in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            found.append(f"{key}: {one!r} and {other!r}")
        elif one != other and (not one or not other or abs(float(one) - float(other)) > TOLERANCE):
            found.append(f"{key}: {one} and {other}")
    return found
