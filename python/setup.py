"""Builds the program beside the package: with Go from the repository around it, or for another machine with INLIER_TARGET=os/arch."""

import json
import os
import pathlib
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
TAGS = {  # the program is static: it needs no library of the system
    "linux/amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_11_0_x86_64",
    "darwin/arm64": "macosx_11_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}
TARGET = os.environ.get("INLIER_TARGET", "")


def go(*arguments, **environment):
    """Runs Go in the repository."""
    try:
        done = subprocess.run(["go", *arguments], cwd=HERE.parent, env={**os.environ, **environment}, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("inlier: building the package needs Go (https://go.dev/dl/); a wheel for this machine does not")
    if done.returncode:
        sys.exit(f"inlier: go {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


class Build(build_py):
    def run(self):
        super().run()
        if not (HERE.parent / "cmd" / "inlier").is_dir():
            sys.exit("inlier: the Go sources are not beside this folder; install from the repository")
        where = pathlib.Path(self.build_lib) / "inlier" / "bin"
        where.mkdir(parents=True, exist_ok=True)
        system, _, machine = TARGET.partition("/")
        name = "inlier.exe" if (system or sys.platform).startswith("win") else "inlier"
        for_target = {"GOOS": system, "GOARCH": machine} if TARGET else {}
        trimmed = ["-trimpath"] if TARGET else []  # what goes to others holds no paths of this machine; what stays here shares what Go has built already
        go("build", *trimmed, "-ldflags=-s -w", "-o", str((where / name).resolve()), "./cmd/inlier", CGO_ENABLED="0", **for_target)
        table = json.loads(go("run", "./cmd/inlier", "methods", "--json", CGO_ENABLED="0", GOOS="", GOARCH=""))
        (where / "methods.json").write_text(json.dumps(table, separators=(",", ":")), encoding="utf-8")


class Wheel(bdist_wheel):
    """One wheel for every version of Python, and for one kind of machine."""

    def get_tag(self):
        platform = TAGS[TARGET] if TARGET else super().get_tag()[2]
        return "py3", "none", platform


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(version="0.1.0", cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Binary)
