"""Commands that scripts call."""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def machine():
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def commit():
    """The commit of the tree, as figures name it. Documents change no figure."""
    text = output_of(["git", "log", "-1", "--format=%h of %cs"]).strip()
    changed = output_of(["git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)docs"]).strip()
    return text + (" with changes" if changed else "")


def output_of(command):
    """What a command prints, called in the folder of the project; where it fails, the end of the script with what it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout
