"""python-oracledb's thin client against the stand-in for an Oracle server.

Its arguments are port, service, user and password. It ends with an exception at the first value
that is not as it was sent, and prints a line for each part otherwise.
"""

import datetime
import decimal
import sys

import oracledb

PORT, SERVICE, USER, PASSWORD = sys.argv[1:]
AT = datetime.datetime(2026, 1, 2, 3, 4, 5, 123456)
DAY = datetime.datetime(2026, 1, 2, 3, 4, 5)
LONG_TEXT = "gr\u00fcn \U0001f600 " * 8000
LONG_BYTES = bytes(range(256)) * 200

# The column's type, the bind's (None: by the value), the value, and what comes back if not that.
VALUES = [
    ("NUMBER(9)", None, 17),
    ("NUMBER", None, decimal.Decimal("-12345678901234567890.5")),
    ("NUMBER(9,2)", None, decimal.Decimal("1.25")),
    ("VARCHAR2(40)", None, "gr\u00fcn \U0001f600"),
    ("NVARCHAR2(40)", oracledb.DB_TYPE_NVARCHAR, "\u4e2d"),
    ("CHAR(5)", None, "ab", "ab   "),
    ("DATE", None, DAY),
    ("TIMESTAMP(6)", oracledb.DB_TYPE_TIMESTAMP, AT),
    ("TIMESTAMP(6) WITH TIME ZONE", oracledb.DB_TYPE_TIMESTAMP_TZ, AT),
    ("TIMESTAMP(6) WITH LOCAL TIME ZONE", oracledb.DB_TYPE_TIMESTAMP_LTZ, AT),
    ("INTERVAL DAY TO SECOND", None, datetime.timedelta(days=3, seconds=5, microseconds=7)),
    ("INTERVAL YEAR TO MONTH", oracledb.DB_TYPE_INTERVAL_YM, oracledb.IntervalYM(2, 3)),
    ("RAW(16)", None, b"\x00\xff"),
    ("BINARY_FLOAT", oracledb.DB_TYPE_BINARY_FLOAT, 1.5),
    ("BINARY_DOUBLE", oracledb.DB_TYPE_BINARY_DOUBLE, -0.1),
    ("CLOB", None, LONG_TEXT),
    ("BLOB", None, LONG_BYTES),
    ("CLOB", oracledb.DB_TYPE_CLOB, "a temporary one"),
    ("BLOB", oracledb.DB_TYPE_BLOB, b"a temporary one"),
    ("BOOLEAN", oracledb.DB_TYPE_BOOLEAN, True),
    ("JSON", oracledb.DB_TYPE_JSON, {"a": [1, None, "x"]}),
    ("VARCHAR2(9)", None, None),
]


def connect(user=USER, password=PASSWORD, service=SERVICE):
    return oracledb.connect(user=user, password=password, dsn=f"127.0.0.1:{PORT}/{service}")


def check(found, expected):
    if found != expected:
        raise AssertionError(f"{str(found)[:200]!r} came instead of {str(expected)[:200]!r}")


def fails(code, action):
    try:
        action()
    except oracledb.Error as e:
        check(e.args[0].full_code, code)
    else:
        raise AssertionError(f"{code} was expected")


def types(connection):
    cursor = connection.cursor()
    since = {"BOOLEAN": 23, "JSON": 21}
    release = int(connection.version.split(".")[0])
    VALUES[:] = [value for value in VALUES if since.get(value[0], 0) <= release]
    columns = ", ".join(f"c{i} {value[0]}" for i, value in enumerate(VALUES))
    cursor.execute(f"CREATE TABLE py_types ({columns})")
    # All values in one row, so that those that a client sends last are among others.
    cursor.setinputsizes(*[value[1] for value in VALUES])
    marks = ", ".join(f":{i + 1}" for i in range(len(VALUES)))
    cursor.execute(f"INSERT INTO py_types VALUES ({marks})", [value[2] for value in VALUES])
    connection.commit()
    for whole in (False, True):
        oracledb.defaults.fetch_lobs = not whole
        row = connection.cursor().execute("SELECT * FROM py_types").fetchone()
        for found, value in zip(row, VALUES, strict=True):
            check(found.read() if isinstance(found, oracledb.LOB) else found, value[-1])
    print("types", len(VALUES))


def batches(connection):
    cursor = connection.cursor()
    cursor.execute(
        "CREATE TABLE py_rows (id NUMBER(9) PRIMARY KEY, s VARCHAR2(40), n NUMBER(20,4), d DATE)")
    rows = [(i, f"row {i}" if i % 3 else None, decimal.Decimal(i) / 4, DAY) for i in range(1000)]
    cursor.executemany("INSERT INTO py_rows VALUES (:1, :2, :3, :4)", rows)
    check(cursor.rowcount, 1000)
    connection.commit()
    cursor.executemany("INSERT INTO py_rows (id) VALUES (:1)", [(5000,), (1,), (5001,)],
                       batcherrors=True, arraydmlrowcounts=True)
    check([(e.offset, e.code) for e in cursor.getbatcherrors()], [(1, 1)])
    check(cursor.getarraydmlrowcounts(), [1, 0, 1])
    connection.rollback()
    cursor.arraysize = 100
    check(cursor.execute("SELECT * FROM py_rows ORDER BY id").fetchall(), rows)
    for i in range(3):
        check(cursor.execute("SELECT n FROM py_rows WHERE id = :x", x=i).fetchone()[0], rows[i][2])
    cursor.execute("UPDATE py_rows SET s = :s WHERE id < 10", s="new")
    check(cursor.rowcount, 10)
    connection.rollback()
    print("batches", len(rows))


def direct_path(connection):
    rows = [(i, "x" * (i % 300 + 1), DAY, decimal.Decimal("1.5")) for i in range(1000)]
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE py_stream (id NUMBER(9), s VARCHAR2(400), d DATE, n NUMBER(9,2))")
    connection.direct_path_load(schema_name=USER, table_name="PY_STREAM",
                                column_names=["ID", "S", "D", "N"], data=rows)
    check(cursor.execute("SELECT * FROM py_stream ORDER BY id").fetchall(), rows)
    print("direct path", len(rows))


def session(connection):
    connection.ping()
    connection.module = "m"
    connection.action = "a"
    check(connection.cursor().execute("SELECT SYS_CONTEXT('USERENV', 'MODULE') FROM dual").fetchone(),
          ("m",))
    connection.cursor().execute("BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK(:1); END;", ["py"])
    connection.current_schema = USER
    check(connection.cursor().execute("SELECT COUNT(*) FROM py_rows").fetchone(), (1000,))
    print("session", connection.version)


def errors(connection):
    cursor = connection.cursor()
    fails("ORA-00904", lambda: cursor.execute("SELECT nosuch FROM py_rows"))
    fails("ORA-00942", lambda: cursor.execute("SELECT 1 FROM nosuch"))
    fails("ORA-00001", lambda: cursor.execute("INSERT INTO py_rows (id) VALUES (1)"))
    fails("ORA-01017", lambda: connect(password="wrong"))
    fails("DPY-6005", lambda: connect(service="NOSUCH"))
    check(cursor.execute("SELECT 1 FROM dual").fetchone(), (1,))
    print("errors")


def main():
    oracledb.defaults.fetch_decimals = True
    with connect() as connection:
        types(connection)
        batches(connection)
        direct_path(connection)
        session(connection)
        errors(connection)
    print("done", oracledb.__version__)


main()
