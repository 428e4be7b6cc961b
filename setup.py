"""The wheel of `import catena`: CMake builds and installs the component python, this packs what it has installed.

CATENA_BUILD_FOLDER: a folder where it has been built (build/release); else build/pip is made, which takes minutes.
CATENA_CMAKE_ARGS: further arguments of its configuration, -DCATENA_WITH_SUNDIALS=OFF say.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class ByCMake(build_ext):
    def run(self):
        folder = pathlib.Path(os.environ.get("CATENA_BUILD_FOLDER") or ROOT / "build/pip")
        if not os.environ.get("CATENA_BUILD_FOLDER"):
            subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", "-DCATENA_UNITY=ON",
                            "-DCATENA_BUILD_TESTS=OFF", "-DCATENA_BUILD_PROGRAM=OFF", "-DCATENA_WITH_PYTHON=ON",
                            "-DCATENA_WARNINGS_AS_ERRORS=OFF", f"-DPython_EXECUTABLE={sys.executable}",
                            *shlex.split(os.environ.get("CATENA_CMAKE_ARGS", ""))], check=True)
            subprocess.run(["cmake", "--build", str(folder), "--target", "catena_python",
                            "--parallel", str(os.cpu_count())], check=True)  # without a number make starts all at once
        stage = pathlib.Path(self.build_temp).resolve() / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        subprocess.run(["cmake", "--install", str(folder), "--component", "python", "--prefix", str(stage)], check=True)
        [found] = stage.glob("**/catena/__init__.py")
        shutil.copytree(found.parent, pathlib.Path(self.build_lib) / "catena", dirs_exist_ok=True)

    def get_outputs(self):
        return []


work = ROOT / "build/wheel"  # nothing is written beside the sources
work.mkdir(parents=True, exist_ok=True)
setup(options={"egg_info": {"egg_base": "build/wheel"}, "build": {"build_base": "build/wheel"}}, packages=[],
      ext_modules=[Extension("catena._core", sources=[])], cmdclass={"build_ext": ByCMake})
