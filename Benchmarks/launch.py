"""Runs a command and writes what it took to a file descriptor: launch.py DESCRIPTOR COMMAND…

A process of its own, and a small one: the kernel counts the memory of the process that starts another one
as the other's peak, and the comparison holds whole results in memory.
"""

import json
import os
import sys
import time

descriptor, command = int(sys.argv[1]), sys.argv[2:]
os.set_inheritable(descriptor, False)
start = time.perf_counter()
child = os.posix_spawnp(command[0], command, os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - start
taken = {
    "wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss,
    "status": os.waitstatus_to_exitcode(status),
}
os.write(descriptor, json.dumps(taken).encode())
