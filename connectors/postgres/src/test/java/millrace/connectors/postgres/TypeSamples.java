package millrace.connectors.postgres;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;

/// Values of every type that PostgreSQL has, as SQL; with types of the user's own, which {@link
/// #TYPES} make.
final class TypeSamples {

  /// Statements that make the types that are not built in.
  static final String[] TYPES = {
    "CREATE TYPE mood AS ENUM ('happy', 'so so', E'it''s; \"odd\"')",
    "CREATE DOMAIN price AS numeric(12,2) CHECK (VALUE >= 0)",
    "CREATE DOMAIN short_name AS character varying(5)",
    "CREATE TYPE pair AS (n integer, t text)",
    "CREATE TYPE floatrange AS RANGE (subtype = float8)",
    "CREATE TYPE limited AS (n numeric(5,2), v varchar(3), t timestamptz(0), i interval second(1),"
        + " c \"char\", nm name, o oid, m money, tz timetz, d date[], r tstzrange)",
    "CREATE TYPE outer_pair AS (p pair, ps pair[], l limited)"
  };

  /// A declaration, values, and the version that has all of it first.
  private record Sample(String declaration, List<String> values, int since) {}

  private static final Map<String, Sample> SAMPLES = new LinkedHashMap<>();
  private static final Map<String, Sample> LATER = new LinkedHashMap<>();

  private TypeSamples() {}

  /// The declarations that this server knows.
  static Stream<String> declarations(PostgresServer server) {
    return Stream.concat(
        SAMPLES.keySet().stream(),
        LATER.values().stream()
            .filter(sample -> sample.since <= server.version())
            .map(Sample::declaration)
            .filter(declaration -> !SAMPLES.containsKey(declaration)));
  }

  /// The values that this server knows, at least one.
  static List<String> values(PostgresServer server, String declaration) {
    return Stream.of(SAMPLES, LATER)
        .filter(samples -> samples.containsKey(declaration))
        .map(samples -> samples.get(declaration))
        .filter(sample -> sample.since <= server.version())
        .flatMap(sample -> sample.values.stream())
        .toList();
  }

  private static void sample(String declaration, String... values) {
    SAMPLES.put(declaration, new Sample(declaration, List.of(values), 0));
  }

  private static void later(int since, String declaration, String... values) {
    LATER.put(declaration, new Sample(declaration, List.of(values), since));
  }

  static {
    sample("boolean", "true", "false");
    sample("smallint", "-32768", "0", "32767");
    sample("integer", "-2147483648", "0", "2147483647");
    sample("bigint", "-9223372036854775808", "0", "9223372036854775807");
    sample(
        "real",
        "0",
        "'-0'",
        "1.1754944e-38",
        "3.4028235e38",
        "1e-45",
        "'NaN'",
        "'Infinity'",
        "'-Infinity'",
        "0.1");
    sample(
        "double precision",
        "0",
        "'-0'",
        "5e-324",
        "1.7976931348623157e308",
        "'NaN'",
        "'Infinity'",
        "'-Infinity'",
        "0.1");
    sample(
        "numeric",
        "0",
        "0.00",
        "-1.50",
        "1e-20",
        "'NaN'",
        "10000",
        "99990000",
        "0.0001",
        "123456789012345678901234567890.0987654321",
        "repeat('9', 131072)::numeric",
        "('0.' || repeat('0', 16382) || '7')::numeric",
        "-10000.0001",
        "1e131000");
    sample("numeric(12,2)", "0", "-9999999999.99", "9999999999.99", "0.01", "'NaN'", "100");
    sample("numeric(18,0)", "999999999999999999", "-999999999999999999", "10000");
    sample("numeric(18,18)", "0.999999999999999999", "-0.000000000000000001");
    sample("numeric(19,4)", "999999999999999.9999", "'NaN'", "-0.0001");
    sample("numeric(500,250)", "repeat('1', 250)::numeric", "-0.5");
    sample(
        "date",
        "'2000-01-01'",
        "'4713-01-01 BC'",
        "'0001-12-31 BC'",
        "'0001-01-01'",
        "'5874897-12-31'",
        "'infinity'",
        "'-infinity'",
        "'1900-02-28'");
    sample("time", "'00:00'", "'24:00'", "'12:34:56.789012'");
    sample("time(2) without time zone", "'12:34:56.78'");
    sample("time with time zone", "'12:34:56.789+09:30'", "'00:00-15:59'");
    sample(
        "timestamp",
        "'2000-01-01'",
        "'4713-11-24 00:00:00 BC'",
        "'294276-12-31 23:59:59.999999'",
        "'infinity'",
        "'-infinity'",
        "'1969-12-31 23:59:59.999999'",
        "'0044-03-15 12:00 BC'");
    sample("timestamp(3) without time zone", "'2024-02-29 12:34:56.789'", "'infinity'");
    sample(
        "timestamp with time zone",
        "'2000-01-01 00:00+00'",
        "'4713-11-24 00:00:00+00 BC'",
        "'294276-12-31 23:59:59.999999+00'",
        "'infinity'",
        "'-infinity'",
        "'2262-04-12 00:00+09'");
    sample(
        "interval",
        "'0'",
        "'1 year -2 mons 3 days -04:05:06.789'",
        "'-178000000 years'",
        "'178000000 years'",
        "'-00:00:00.000001'");
    sample(
        "uuid", "'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-fffffffffffe'");
    sample("json", "'{\"a\" :  [1, \"x\\n\"], \"a\":2}'", "'null'", "'\"\"'");
    sample("jsonb", "'{\"b\": [1, \"x\\n\"], \"a\":2}'", "'null'", "'1.50'");
    sample("jsonpath", "'$.a[*] ? (@.b > 1)'");
    sample(
        "text",
        "''",
        "' '",
        "E'\\\\N'",
        "E'\\\\.'",
        "E'a\\tb\\nc\\rd\\\\e\\bf\\x01g\\x7f'",
        "'null'",
        "'é 水車 😀'",
        "repeat('長い', 500000)",
        "'\"'",
        "','");
    sample("character varying", "'any length'", "''");
    sample("character varying(20)", "'水車水車水車水車水車水車水車水車水車水車'", "'a  '", "''");
    sample("character(8)", "'ab'", "'ab      '", "''", "'水車'");
    sample("bpchar", "'ab  '");
    sample("\"char\"", "'a'", "''");
    sample("name", "'a_name'", "repeat('n', 63)");
    sample("bytea", "''", "'\\x00ff0a0d5c'", "decode(repeat('00', 1000000), 'hex')");
    sample("bit(5)", "B'10101'");
    sample("bit varying(9)", "B''", "B'110'");
    sample("bit varying", "B'1'");
    sample("money", "'-92233720368547758.08'", "'12.34'", "'0'");
    sample("inet", "'192.168.1.5/24'", "'::1'", "'2001:db8::/32'", "'10.0.0.1'");
    sample("cidr", "'10.0.0.0/8'", "'2001:db8::/32'");
    sample("macaddr", "'08:00:2b:01:02:03'");
    sample("macaddr8", "'08:00:2b:01:02:03:04:05'");
    sample("point", "'(1.5,-0)'", "'(NaN,Infinity)'");
    sample("line", "'{1,-2,3}'");
    sample("lseg", "'[(0,0),(1,1)]'");
    sample("box", "'(1,1),(0,0)'");
    sample("path", "'((0,0),(1,1))'", "'[(0,0),(1,1)]'");
    sample("polygon", "'((0,0),(1,1),(2,0))'");
    sample("circle", "'<(1,2),3>'");
    sample("tsvector", "'''a b'':1A c:2,3B'", "''");
    sample("tsquery", "'a & (b | !c:*A)'");
    sample("xml", "'<a b=\"1\">é</a>'", "'text only'", "''");
    sample("oid", "0", "4294967295");
    sample("xid", "'4294967295'");
    sample("pg_lsn", "'16/B374D848'");
    sample("regclass", "'pg_class'");
    sample("int4range", "'[1,5)'", "'empty'", "'(,)'");
    sample("int8range", "'[1,)'");
    sample("numrange", "'[1.10,2.200]'");
    sample("tsrange", "'[2024-01-01 00:00,infinity)'");
    sample("tstzrange", "'[2024-01-01 00:00+00,2024-01-02 00:00+00)'");
    sample("daterange", "'[2024-01-01,)'");
    sample("integer[]", "'{}'", "'{1,NULL,3}'", "'[2:3][0:1]={{1,2},{3,4}}'");
    sample("text[]", "'{\"a,b\",\"c\\\"d\",NULL,\"NULL\",\"\"}'", "array[E'\\n\\t\\\\']");
    sample("numeric(9,2)[]", "'{1.50,NaN}'");
    sample("timestamp with time zone[]", "'{infinity,2024-01-01 00:00:00+00}'");
    sample("bytea[]", "array['\\x00ff'::bytea]");
    sample("character(3)[]", "'{a,bcd}'");
    sample("interval[]", "'{1 day}'");
    sample("public.mood", "'happy'", "'so so'", "E'it''s; \"odd\"'");
    sample("public.mood[]", "'{happy,\"so so\",NULL}'");
    sample("public.price", "12.50", "0");
    sample("public.short_name", "'abc'", "''");
    sample("public.price[]", "'{1.25,2.50}'");
    sample("public.pair", "ROW(1, 'a,b')", "ROW(NULL, '')");
    sample("public.pair[]", "array[ROW(1, 'a\"b')::pair]");
    sample(
        "public.limited",
        "'(1.50,a c,2024-01-01"
            + " 00:00:00+00,00:00:01.5,c,nm,4294967295,$1.50,10:00:00-03:30,\"{infinity,0044-03-15"
            + " BC,NULL}\",\"[\"\"2024-01-01 00:00:00.5+00\"\",infinity)\")'",
        "'(NaN,水車水,-infinity,,\"\",\"\",,,,{},empty)'",
        "'(,,,,,,,,,,)'");
    sample(
        "public.limited[]",
        "ARRAY['(1.50,\"\"\"\\\\(\",,,,,,,,,)', NULL]::limited[]",
        "'[3:3]={\"(,,,,,,,,,,)\"}'");
    sample(
        "public.outer_pair",
        "ROW(ROW(1, E'\"\\\\ ,(){}\\n'), ARRAY[ROW(NULL, ''), NULL, ROW(2, 'q\"q')]::pair[],"
            + " '(1.50,,2024-01-01 00:00:00+00,,,,,,,,)')",
        "ROW(ROW(NULL, NULL), '{}', NULL)");
    sample("public.floatrange", "'[1.5,2.5)'");
    sample("int2vector", "'1 2 3'");
    sample("interval(0)", "'1 day 00:00:07'");
    sample("interval year", "'3 years'", "'0'");
    sample("interval year to month", "'3 years -2 mons'", "'-1 mon'");
    sample("interval day", "'3 years -2 mons 1 day'", "'1 day'");
    sample("interval day to hour", "'1 mon -1 days +05:00:00'", "'-26:00:00'");
    sample("interval hour to minute", "'-00:01:00'", "'1 day 02:03:00'");
    sample("interval second(1)", "'1 year 00:00:07.5'");
    sample("time(0) with time zone", "'12:34:56+02'");
    sample("oidvector", "'1 4294967295'");
    sample("tid", "'(4294967295,65535)'");
    sample("regtype", "'integer'");
    sample("txid_snapshot", "'10:20:10,14'");
    sample("date[]", "'{0044-03-15 BC,-infinity}'");
    sample("boolean[]", "'{t,NULL,f}'");
    sample("uuid[]", "'{ffffffff-ffff-ffff-ffff-fffffffffffe}'");
    sample("json[]", "ARRAY['{\"a\":  1}'::json]");
    sample("inet[]", "'{10.0.0.1,::1/64}'");
    sample("double precision[]", "'{-0,NaN,Infinity,5e-324}'");
    sample("xml[]", "ARRAY['<a>x</a>'::xml]");
    sample("money[]", "'{1.50}'");
    sample("box[]", "'{(1,1),(0,0);(2,2),(0,0)}'");
    sample("int4range[]", "'{\"[1,5)\",empty}'");
    sample("bit(3)[]", "'{101}'");
    later(130000, "xid8", "'18446744073709551615'");
    later(140000, "numeric", "'Infinity'", "'-Infinity'");
    later(140000, "numeric[]", "'{Infinity,-Infinity,NaN}'");
    later(140000, "int4multirange", "'{}'", "'{[1,5),[7,)}'");
    later(140000, "int8multirange", "'{(,)}'");
    later(140000, "nummultirange", "'{[1.10,2.200]}'");
    later(140000, "tsmultirange", "'{[2024-01-01 00:00,infinity)}'");
    later(140000, "tstzmultirange", "'{[2024-01-01 00:00+00,2024-01-02 00:00+00)}'");
    later(140000, "datemultirange", "'{[2024-01-01,2024-02-01)}'");
    later(150000, "numeric(2,5)", "0.00099", "-0.00001");
    later(150000, "numeric(3,-2)[]", "'{12300,-99900,0,NaN,NULL}'", "'{}'");
    later(150000, "numeric(3,-2)", "12300", "-99900", "'NaN'");
    later(170000, "interval", "'infinity'", "'-infinity'");
  }
}
