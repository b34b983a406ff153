"""What a Linux binary asks of the machine: elf.py METRICC prints the libraries and the newest versions of their symbols."""

import re
import subprocess
import sys

# What every Linux machine with glibc has (PEP 600); anything else ties a binary to machines like this one.
EVERYWHERE = {"libc", "libm", "libdl", "libpthread", "librt", "libgcc_s", "libstdc++", "ld-linux-x86-64", "ld-linux-aarch64"}


def readelf(option, binary):
    return subprocess.run(["readelf", "--wide", option, binary], check=True, capture_output=True, text=True).stdout


def libraries(binary):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("--dynamic", binary))


def runs_elsewhere(binary):
    return all(name.split(".so")[0] in EVERYWHERE for name in libraries(binary))


def newest(family, binary):
    """The newest version of a family of symbols that the binary needs, as numbers: newest("GLIBC", …) == (2, 34)."""
    needs = readelf("--version-info", binary).split("Version needs section", 1)[-1]
    versions = re.findall(rf"Name: {family}_([0-9.]+)", needs)
    return max((tuple(map(int, version.split("."))) for version in versions), default=())


if __name__ == "__main__":
    for library in libraries(sys.argv[1]):
        print(library)
    for family in ("GLIBC", "GLIBCXX", "CXXABI", "GCC"):
        print(family, ".".join(map(str, newest(family, sys.argv[1]))))
