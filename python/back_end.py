"""The back end of pip: setuptools of Debian, also where pip isolates the build from the packages of the system.

An isolated build would fetch setuptools and wheel from the network, and there may be none.
"""
import sys

try:
    import setuptools
    import wheel
except ImportError:
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        import setuptools  # noqa: F401
        import wheel  # noqa: F401
    except ImportError:
        sys.exit("catena: setuptools and wheel are needed:  apt-get install python3-setuptools python3-wheel")

from setuptools.build_meta import (build_sdist, build_wheel, prepare_metadata_for_build_wheel)  # noqa: E402, F401


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
