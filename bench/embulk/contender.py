"""Embulk 0.11 as a contender of bench/race load: its parts, its command line and its configuration.

pom.xml beside this file says which parts; Maven brings them, and bench/target/embulk becomes the home
folder in which Embulk looks for its plugins' versions.
"""

import os
import pathlib
import shutil
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent
HOME = FOLDER.parent / "target" / "embulk"

# The types that its CSV parser gives the race's columns. It has none for decimals.
TYPES = {"string": "string", "timestamp[us]": "timestamp, format: '%Y-%m-%d %H:%M:%S'",
         "int64": "long", "decimal128(9, 2)": "double"}
TEXT = dict.fromkeys(TYPES, "string")


def missing():
    """Brings Embulk's parts; None, or a word on why they cannot be had."""
    if not shutil.which("mvn"):
        return "no Maven (mvn)"
    shutil.rmtree(HOME, ignore_errors=True)
    maven = subprocess.run(["mvn", "-q", "-B", "-f", str(FOLDER)], capture_output=True)
    if maven.returncode == 0:
        return None
    return ("Maven does not find all its parts: mvn -f bench/embulk says which, and EMBULK_REPOSITORY may"
            " name one more repository by its URL")


def command(folder, csv, typed, columns, server):
    """A line of shell that loads a CSV file with a header line into the table b.

    One task reads the file, and as many as there are processors convert and load by COPY, straight
    into the table. The file cut in two, each half a task, was not faster: either way all processors
    are busy. With `typed` false every column is text, which spares reading and writing values.
    """
    types = TYPES if typed else TEXT
    kinds = "\n".join(f"      - {{name: {n}, type: {types[t]}}}" for n, t in columns)
    # Without this, text would be made a value after all on its way to a column of another type.
    as_it_is = "\n".join(f"    {n}: {{value_type: string}}" for n, _ in columns)
    config = folder / ("embulk-typed.yml" if typed else "embulk-text.yml")
    config.write_text(
        f"in:\n  type: file\n  path_prefix: {csv}\n  parser:\n    type: csv\n    skip_header_lines: 1\n"
        f"    columns:\n{kinds}\nout:\n  type: postgresql\n  host: 127.0.0.1\n  port: {server.port}\n"
        "  user: race\n  database: postgres\n  table: b\n  mode: insert_direct\n"
        + ("" if typed else f"  column_options:\n{as_it_is}\n"))
    java = os.environ["JAVA_HOME"] + "/bin/java" if "JAVA_HOME" in os.environ else "java"
    return (f"EMBULK_HOME={HOME} {java} -Djava.io.tmpdir={folder} -cp \"$(cat {HOME}/classpath)\" "
            f"org.embulk.cli.Main run {config}")
