"""Makes a wheel for every kind of machine, into the folder named (default: dist). Needs Go and pip:

    python python/wheels.py dist
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()
targets = sys.argv[2:] or re.findall(r'"(\w+/\w+)":', (here / "setup.py").read_text())
out.mkdir(parents=True, exist_ok=True)
for target in targets:
    with tempfile.TemporaryDirectory() as made:
        # What an earlier build has left would be packed along.
        shutil.rmtree(here / "build", ignore_errors=True)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, str(here)]
        subprocess.run(command, check=True, env={**os.environ, "INLIER_TARGET": target})
        for wheel in pathlib.Path(made).glob("*.whl"):
            shutil.move(wheel, out / wheel.name)
            print(f"{target}: {out / wheel.name} ({(out / wheel.name).stat().st_size / 1e6:.1f} MB)")
shutil.rmtree(here / "build", ignore_errors=True)
