"""The races of bench/race in which MariaDB takes part, and a MariaDB of their own."""

import glob
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")


def home():
    """Where MariaDB's programs are: MARIADB_HOME, or Debian's mariadb-server."""
    named = os.environ.get("MARIADB_HOME")
    return pathlib.Path(named) if named else pathlib.Path("/usr")


def program(*names):
    for name in names:
        for folder in ("bin", "sbin", "scripts"):
            path = home() / folder / name
            if os.access(path, os.X_OK):
                return str(path)
    return None


def missing():
    lacks = [n for n in ("mariadbd", "mariadb-install-db", "mariadb") if not program(n)]
    return f"no {' and '.join(lacks)}: set MARIADB_HOME, or install Debian's mariadb-server" if lacks else None


class MariaDb:
    """A MariaDB on a free port of the loopback interface, with the settings that servers have."""

    SETTINGS = ["--innodb-buffer-pool-size=2G", "--innodb-log-file-size=2G", "--local-infile=1",
                "--max-allowed-packet=64M", "--character-set-server=utf8mb4"]

    def __init__(self, folder):
        self.folder = folder / "mariadb"
        self.folder.mkdir()
        self.data = self.folder / "data"
        self.client = program("mariadb")
        user = []
        if os.geteuid() == 0:
            # The server refuses to run as root.
            user = ["--user=nobody"]
            os.chown(self.folder, pwd.getpwnam("nobody").pw_uid, -1)
        base = ["--basedir=" + str(home())] if os.environ.get("MARIADB_HOME") else []
        share = ["--lc-messages-dir=" + str(home() / "share")] if base else []
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        log = open(self.folder / "server.log", "ab")
        subprocess.run([program("mariadb-install-db"), "--no-defaults", f"--datadir={self.data}",
                        "--auth-root-authentication-method=normal", "--skip-test-db", "--force"]
                       + base + user, stdout=log, stderr=log, check=True)
        self.process = subprocess.Popen(
            [program("mariadbd"), "--no-defaults", f"--datadir={self.data}", f"--port={self.port}",
             "--bind-address=127.0.0.1", f"--socket={self.folder}/socket", f"--tmpdir={self.folder}",
             f"--pid-file={self.folder}/pid", "--skip-ssl"]
            + self.SETTINGS + base + share + user, stdout=log, stderr=log)
        for _ in range(600):
            if subprocess.run(self.mariadb("") + ["-e", "SELECT 1"], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        self.sql("CREATE DATABASE race", "CREATE DATABASE empty", database="")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def mariadb(self, database="race"):
        return [self.client, "--no-defaults", "--skip-ssl", "--local-infile=1", "-N", "-B", "-h", "127.0.0.1",
                "-P", str(self.port), "-u", "root"] + ([database] if database else [])

    def sql(self, *statements, database="race"):
        return subprocess.run(self.mariadb(database) + ["-e", "; ".join(statements)], check=True,
                              capture_output=True, text=True).stdout.strip()

    def url(self, table, database="race"):
        return f"mariadb://root@127.0.0.1:{self.port}/{database}?table={table}"

    def version(self):
        return "MariaDB " + self.sql("SELECT version()")

    def cpu(self):
        """Seconds that the server has taken."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / TICKS


def load_command(server, file):
    """LOAD DATA of a CSV file without a header, by MariaDB's own client."""
    sql = (f"LOAD DATA LOCAL INFILE '{file}' INTO TABLE b CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','"
           " OPTIONALLY ENCLOSED BY '\\\"' ESCAPED BY ''")
    return " ".join(server.mariadb()) + f" -e \"{sql}\""


def unload_commands(server, millrace, database, out, chunk):
    url = server.url("b", database)
    dump = f"mydumper -h 127.0.0.1 -P {server.port} -u root -B {database} -T b -m -o {out}/dump"
    return [f"{millrace} copy '{url}' {out}/b.csv --mode replace --quiet --files per-split",
            f"{millrace} copy '{url}' {out}/b.csv --mode replace --quiet",
            f"{dump} -t 2 -r {chunk}", f"{dump} -t 1"]


def unloaded_rows(out):
    """Rows of CSV files without their headers, or of INSERT statements."""
    total = 0
    for file in glob.glob(f"{out}/**", recursive=True):
        if file.endswith(".csv"):
            total += int(subprocess.check_output(["wc", "-l", file]).split()[0]) - 1
        elif file.endswith(".sql") and "schema" not in file:
            lines = subprocess.run(["grep", "-c", "^[,(]\\|VALUES *(", file], capture_output=True, text=True)
            total += int(lines.stdout or 0)
    return total


def pgloader_command(server, database, postgres, folder):
    """The table, made anew, into the schema public, as Millrace does it."""
    load = folder / f"{database}.load"
    load.write_text(f"""LOAD DATABASE
  FROM mysql://root@127.0.0.1:{server.port}/{database}
  INTO pgsql://race@127.0.0.1:{postgres.port}/postgres
  WITH include drop, create tables, create no indexes, workers = 2, concurrency = 2
  INCLUDING ONLY TABLE NAMES MATCHING 'b'
  ALTER SCHEMA '{database}' RENAME TO 'public';
""")
    return f"pgloader {load}"


def tool(name, package):
    return None if shutil.which(name) else f"not installed (Debian: {package})"
