#!/usr/bin/env python3
"""check_cluster.py ROOT CATENA [MPIRUN]: runs the scripts of docs/howto/run_on_a_cluster.md on this machine and compares the table
that each collects with that of one process, times apart. What runs them only where it is installed; with CATENA_CLUSTER=all in
the environment, as in .ci/nightly, all of it must be."""

import csv
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from documents import listings

PAGE = "docs/howto/run_on_a_cluster.md"
TIMES = ("seconds [s]", "machine")


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=200)
    if done.returncode != 0:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]


class Slurm:
    """A Slurm of this one machine, with 16 processors as it believes, in a folder of its own."""

    def __init__(self, folder, environment):
        self.folder, self.configuration = folder, folder / "slurm.conf"
        self.environment = environment | {"SLURM_CONF": str(self.configuration)}
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        host, user = os.uname().nodename.split(".")[0], pwd.getpwuid(os.getuid()).pw_name
        ports = []
        for _ in range(2):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                ports.append(probe.getsockname()[1])
        self.configuration.write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""", encoding="utf-8")

    def __enter__(self):
        """Whether it runs: it needs root, and a machine that lets it."""
        self.runs = self.ask(["slurmctld", "-c", "-f", str(self.configuration)]) is not None
        self.runs = self.runs and self.ask(["slurmd", "-f", str(self.configuration)]) is not None
        for _ in range(40):
            if not self.runs or "idle" in (self.ask(["sinfo", "--noheader", "-o", "%t"]) or ""):
                return self
            time.sleep(0.5)
        self.runs = False
        return self

    def __exit__(self, *unused):
        self.ask(["scontrol", "shutdown"])
        for daemon in ("slurmctld", "slurmd"):
            self.end(daemon)

    def end(self, daemon):
        """Waits for a daemon to end, and kills one that scontrol has not reached in ten seconds, on a busy machine."""
        for attempt in range(21):
            try:
                process = int((self.configuration.parent / f"{daemon}.pid").read_text(encoding="utf-8"))
                if Path(f"/proc/{process}/comm").read_text(encoding="utf-8").strip() != daemon:
                    return
                if attempt == 20:
                    os.kill(process, signal.SIGKILL)
            except (OSError, ValueError):  # its file, or the process itself, is gone
                return
            time.sleep(0.5)

    def ask(self, command):
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 else None


def main():
    root, catena = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    found = list(listings(root / PAGE, root))
    sweep = next(item.text for item in found if item.mark == "file sweep.yaml")
    shell = next(item.text for item in found if "shards.sh" in item.text)
    slurm = next(item.text for item in found if "#SBATCH --array" in item.text)
    slurm_mpi = next(item.text for item in found if "#SBATCH --ntasks" in item.text)
    mpi = next(item.text for item in found if item.text.startswith("mpirun "))
    parallel = next(item.text for item in found if item.text.startswith("parallel "))
    snakemake = next(item.text for item in found if "rule all" in item.text)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/catena").symlink_to(catena)
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}

        def collect(work):
            run(["catena", "study", "collect", "out", "--csv", "all.csv"], work, environment)
            return rows(work / "all.csv")

        def fresh(title):
            work = folder / title
            work.mkdir()
            (work / "sweep.yaml").write_text(sweep, encoding="utf-8")
            return work

        work = fresh("whole")
        run(["catena", "sweep", "sweep.yaml", "--output", "out"], work, environment)
        expected = collect(work)
        if len(expected) != 60 or any(row["status"] != "ok" for row in expected):
            sys.exit(f"the sweep of the page has {len(expected)} rows, or some that failed")

        checked = []

        def compare(title, table):
            if table != expected:
                sys.exit(f"{title}: the table differs from that of one process")
            checked.append(title)

        work = fresh("shell")
        run(["bash", "-c", shell, "shards.sh", "sweep.yaml", "out", "4"], work, environment)
        compare("shell", rows(work / "out.csv"))
        work = fresh("slurm")
        for i in range(1, 17):
            run(["bash", "-c", slurm], work, {**environment, "SLURM_ARRAY_TASK_ID": str(i), "SLURM_CPUS_PER_TASK": "1"})
        compare("Slurm's variables", collect(work))
        # There may be fewer processors than ranks.
        more = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if len(sys.argv) > 3:  # the mpirun of a build with MPI
            (folder / "bin/mpirun").symlink_to(sys.argv[3])
            work = fresh("mpi")
            run(["bash", "-c", mpi], work, environment | more)
            compare("MPI", collect(work))
            work = fresh("slurm_mpi")
            run(["bash", "-c", slurm_mpi], work, environment | more)
            compare("MPI in a job", collect(work))
        if os.getuid() == 0 and all(shutil.which(daemon) for daemon in ("slurmctld", "slurmd", "sbatch")):
            jobs = {"slurm_array": slurm, "slurm_ranks": slurm_mpi} if len(sys.argv) > 3 else {"slurm_array": slurm}
            with Slurm(folder / "slurm_of_test", environment | more) as cluster:
                for title, script in jobs.items() if cluster.runs else ():
                    work = fresh(title)
                    (work / "job.sh").write_text(script, encoding="utf-8")
                    run(["sbatch", "--wait", "job.sh"], work, cluster.environment)
                    compare(f"Slurm, {title}", collect(work))
            if not cluster.runs:
                print("Slurm is installed and cannot be started here")
        if shutil.which("parallel"):
            work = fresh("parallel")
            run(["bash", "-c", parallel], work, environment)
            compare("GNU parallel", collect(work))
        if shutil.which("snakemake"):
            work = fresh("snakemake")
            (work / "Snakefile").write_text(snakemake, encoding="utf-8")
            run(["snakemake", "--cores", "2"], work, environment)
            compare("Snakemake", rows(work / "all.csv"))
    wanted = ("shell", "Slurm's variables", "MPI", "MPI in a job", "Slurm, slurm_array", "Slurm, slurm_ranks", "GNU parallel", "Snakemake")
    if os.environ.get("CATENA_CLUSTER") == "all" and (absent := [title for title in wanted if title not in checked]):
        sys.exit(f"not run: {', '.join(absent)}")
    print(f"the same 60 rows: {', '.join(checked)}")


if __name__ == "__main__":
    main()
