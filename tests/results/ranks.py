#!/usr/bin/env python3
"""ranks.py CATENA MPIRUN KILLS: sweeps over the ranks of mpirun.

The table of 1 to 4 ranks is that of one process, times and machines apart. Then KILLS times a random rank is killed with
signal 9 at a random moment: the job ends, no finished row runs again, and the same command ends with that table. The same
for four shards, and for one process with two threads.
"""

import csv
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SWEEP = "sweep helix_chain --vary n=20..49:30 --vary option.rho_inf=0.8,0.9 --end 0.5".split()
TIMES = ("seconds [s]", "machine")
ROWS = 60
# Of Open MPI, as variables: the mpirun of MPICH refuses words that it does not know.
LEAVE = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_mpi_yield_when_idle": "1"}
OTHERS = ("OMPI_", "PMI_", "PMIX_", "SLURM_")  # of a job that this test runs in


class Sweeps:
    def __init__(self, catena, mpirun, folder):
        self.catena, self.mpirun, self.folder = catena, mpirun, folder
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(OTHERS)} | LEAVE

    def command(self, output, ranks=0, more=()):
        start = [self.mpirun, "-n", str(ranks)] if ranks else []
        return [*start, self.catena, *SWEEP, "--output", str(self.folder / output), *more]

    def run(self, command, expected=0):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=100)
        if done.returncode != expected:
            sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def table(self, output):
        file = self.folder / f"{output}.csv"
        self.run([self.catena, "study", "collect", str(self.folder / output), "--csv", str(file)])
        with open(file, encoding="utf-8", newline="") as text:
            return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(text)]

    def finished(self, output):
        """Seconds of the finished rows: another run of a row would take others."""
        found = {}
        for file in (self.folder / output).glob("*.sqlite"):
            base = sqlite3.connect(file, timeout=10)
            if base.execute("SELECT count(*) FROM sqlite_master WHERE name = 'rows'").fetchone()[0]:
                found.update(base.execute("SELECT row, seconds FROM rows WHERE status = 'ok'").fetchall())
            base.close()
        return found

    def kill_some(self, output, commands, kills, victims):
        """Starts the commands again and again; the first `kills` times one of the victims is killed."""
        known, met = {}, 0
        for turn in range(kills + 20):
            processes = [subprocess.Popen(c, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                         for c in commands]
            killed = False
            if met < kills:
                while not running(self.folder / output) and any(p.poll() is None for p in processes):
                    time.sleep(0.01)  # until there is a table
                time.sleep(random.uniform(0.0, 0.3))
                alive = victims(processes)
                if alive:
                    try:
                        os.kill(random.choice(alive), signal.SIGKILL)
                        killed = True
                    except ProcessLookupError:
                        pass
            said = [p.communicate(timeout=100)[0] for p in processes]
            codes = [p.returncode for p in processes]
            now = self.finished(output)
            again = [row for row in known if now.get(row) != known[row]]
            if again:
                sys.exit(f"{output}: rows {again} have run again, or are lost")
            known = now
            if killed and any(codes):
                met += 1
            elif not any(codes) or "crashed" in "".join(said):
                return met
        sys.exit(f"{output}: not done after {kills + 20} starts: {codes}\n{''.join(said)}")


def running(folder):
    return list(folder.glob("*.sqlite.running"))


def children(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text(encoding="ascii").split()]
        except OSError:  # it has ended
            pass
    return found


def ranks_of(catena):
    """Of mpirun, which has them as children, or (MPICH) as those of a process between."""

    def is_rank(pid):
        try:
            return os.readlink(f"/proc/{pid}/exe") == catena
        except OSError:  # it has ended
            return False

    def found(processes):
        below = [child for parent in processes for child in children(parent.pid)]
        below += [child for pid in below for child in children(pid)]
        return [pid for pid in below if is_rank(pid)]

    return found


COUNT = """#!{python}
# In place of gnuplot: writes how many ranks of the sweep there are while it draws, and pictures that have an end.
import os, pathlib, sys, time
if not pathlib.Path({counts!r}).exists():
    time.sleep(0.5)  # they have ended by then
count = 0
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        count += os.readlink(process / "exe") == {catena!r} and {folder!r}.encode() in (process / "cmdline").read_bytes()
    except OSError:
        pass
with open({counts!r}, "a", encoding="ascii") as out:
    out.write(f"{{count}}\\n")
script = sys.argv[-1]
for end, text in (("png", "IEND"), ("svg", "</svg>")):
    pathlib.Path(script.removesuffix("gp") + end).write_text(text, encoding="ascii")
"""


def ranks_while_drawing(sweeps, ranks):
    """Of each picture."""
    tools, counts = sweeps.folder / "tools", sweeps.folder / "counts"
    tools.mkdir()
    gnuplot = tools / "gnuplot"
    gnuplot.write_text(COUNT.format(python=sys.executable, catena=sweeps.catena, folder=str(sweeps.folder), counts=str(counts)),
                       encoding="utf-8")
    gnuplot.chmod(0o755)
    command = sweeps.command("drawn", ranks)
    at = command.index(sweeps.catena)  # mpirun puts the folder that it is in before the others of PATH
    sweeps.run([*command[:at], "env", f"PATH={tools}:{os.environ['PATH']}", *command[at:]])
    return [int(line) for line in counts.read_text(encoding="ascii").split()]


def alive(processes):
    return [p.pid for p in processes if p.poll() is None]


def main():
    catena, mpirun, kills = str(Path(sys.argv[1]).resolve()), sys.argv[2], int(sys.argv[3])
    random.seed(2025)
    with tempfile.TemporaryDirectory() as name:
        sweeps = Sweeps(catena, mpirun, Path(name))
        sweeps.run(sweeps.command("alone"))
        expected = sweeps.table("alone")
        if len(expected) != ROWS or any(row["status"] != "ok" for row in expected):
            sys.exit(f"the sweep has {len(expected)} rows, or some that failed")
        for ranks in (1, 2, 3, 4):
            sweeps.run(sweeps.command(f"of_{ranks}", ranks))
            if sweeps.table(f"of_{ranks}") != expected:
                sys.exit(f"the table of {ranks} ranks differs from that of one process")
        counted = ranks_while_drawing(sweeps, 3)
        if not counted or set(counted) != {1}:
            sys.exit(f"{counted} ranks while pictures were drawn: those without rows should have ended")
        refused = subprocess.run(sweeps.command("of_2", 2, ["--threads", "2"]), env=sweeps.environment, capture_output=True,
                                 text=True, check=False, timeout=100)
        if refused.returncode != 2 or refused.stderr.count("each of several ranks runs one row at a time") != 1:
            sys.exit(f"--threads over ranks: {refused.returncode}\n{refused.stderr}")
        scaled = sweeps.run([catena, *"scale helix_chain --bodies 5 --steps 5 --repeat 1 --scenarios 3 --ranks 1,2".split()]).stdout
        lines = [line.split() for line in scaled.splitlines() if line.startswith("  ranks ")]
        if [line[1] for line in lines] != ["1", "2"] or not all(float(line[2]) > 0 and float(line[5]) > 0 for line in lines):
            sys.exit(f"scale --ranks 1,2:\n{scaled}")
        counts = []
        shards = [sweeps.command("shards", 0, ["--shard", f"{k}/4"]) for k in (1, 2, 3, 4)]
        for title, commands, victims in (("ranks", [sweeps.command("ranks", 4)], ranks_of(catena)), ("shards", shards, alive),
                                         ("one process", [sweeps.command("one process", 0, ["--threads", "2"])], alive)):
            met = 0
            while met < kills:
                met += sweeps.kill_some(title, commands, kills - met, victims)
                for command in commands:  # a row that two kills have met by chance counts as crashed
                    sweeps.run([*command, "--retry", "crashed"])
                if sweeps.table(title) != expected:
                    sys.exit(f"{title}: killed {met} times, and the table differs from that of one process")
                shutil.rmtree(sweeps.folder / title)
            counts.append(f"{met} kills of {title}")
    print(f"the same {ROWS} rows of 1 to 4 ranks, and after {', '.join(counts)}")


if __name__ == "__main__":
    main()
