package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.plan.Plan;
import millrace.spi.Mode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Values of every type that PostgreSQL has arrive as they were, by every way.
class PostgresValuesTest {

  private static final TestDatabase DATABASE = TestDatabase.make();

  private static final AtomicInteger TABLES = new AtomicInteger();

  /// Declarations and values; each type's name is its declaration.
  private static final Map<String, List<String>> SAMPLES = new LinkedHashMap<>();

  private static List<String> values(String type) {
    return SAMPLES.getOrDefault(type, List.of());
  }

  private static void sample(String declaration, String... values) {
    SAMPLES.put(declaration, List.of(values));
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
    sample("public.floatrange", "'[1.5,2.5)'");
    sample("int2vector", "'1 2 3'");
  }

  @BeforeAll
  static void makeTypes() {
    DATABASE.sql(
        "CREATE TYPE mood AS ENUM ('happy', 'so so', E'it''s; \"odd\"')",
        "CREATE DOMAIN price AS numeric(12,2) CHECK (VALUE >= 0)",
        "CREATE DOMAIN short_name AS character varying(5)",
        "CREATE TYPE pair AS (n integer, t text)",
        "CREATE TYPE floatrange AS RANGE (subtype = float8)");
  }

  static Stream<Arguments> typesAndForms() {
    return SAMPLES.keySet().stream()
        .flatMap(type ->
            Stream.of(PostgresForms.BINARY, PostgresForms.TEXT, "columns")
                .map(form -> Arguments.of(type, form)));
  }

  @ParameterizedTest(name = "{0} as {1}")
  @MethodSource("typesAndForms")
  void everyValueArrivesAsItWas(String type, String form) {
    String table = "t" + TABLES.incrementAndGet();
    DATABASE.sql("CREATE TABLE " + table + " (n serial PRIMARY KEY, v " + type + ")");
    for (String value : values(type)) {
      DATABASE.sql("INSERT INTO " + table + " (v) VALUES (" + value + "), (NULL)");
    }
    TestDatabase.Copy copy =
        TestDatabase.Copy.of(DATABASE.table(table), DATABASE.table(table + "_copy"));
    if (!form.equals(PostgresForms.BINARY) || isPortable(type)) {
      copy.form(form).run();
    } else {
      assertThat(copy.run().form().name()).isEqualTo(PostgresForms.TEXT);
    }
    String query = "SELECT t::text FROM %s AS t ORDER BY n";
    assertThat(DATABASE.column(query.formatted(table + "_copy")))
        .isEqualTo(DATABASE.column(query.formatted(table)));
    String declared =
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '%s'::regclass"
            + " AND attname = 'v'";
    assertThat(DATABASE.value(declared.formatted(table + "_copy")))
        .isEqualTo(DATABASE.value(declared.formatted(table)));
  }

  private static boolean isPortable(String type) {
    return !List.of(
                "xml",
                "regclass",
                "public.mood[]",
                "public.price[]",
                "public.pair",
                "public.pair[]",
                "public.floatrange")
            .contains(type)
        // A name that holds the sign that parts the names of a form.
        && !type.contains(";");
  }

  @Test
  void aTableOfAllTypesAtOnceArrivesAsItWas() {
    List<String> types = new ArrayList<>(SAMPLES.keySet());
    String columns =
        types.stream()
            .map(type -> "c" + types.indexOf(type) + " " + type)
            .collect(Collectors.joining(", "));
    String values =
        types.stream().map(type -> values(type).getFirst()).collect(Collectors.joining(", "));
    DATABASE.sql("CREATE TABLE everything (" + columns + ")");
    DATABASE.sql("INSERT INTO everything VALUES (" + values + ")");
    for (String form : List.of(PostgresForms.TEXT, "columns")) {
      Plan plan =
          TestDatabase.Copy.of(DATABASE.table("everything"), DATABASE.table("everything_copy"))
              .mode(Mode.REPLACE)
              .form(form)
              .run();
      assertThat(plan.form().name()).isEqualTo(form);
      assertThat(DATABASE.column("SELECT t::text FROM everything_copy AS t"))
          .isEqualTo(DATABASE.column("SELECT t::text FROM everything AS t"));
    }
  }

  @Test
  void textOfEveryCharacterArrives() {
    DATABASE.sql(
        "CREATE TABLE characters AS SELECT n, chr(n) AS c FROM generate_series(1, 1114111) AS n"
            + " WHERE n NOT BETWEEN 55296 AND 57343");
    for (String form : List.of(PostgresForms.BINARY, PostgresForms.TEXT, "columns")) {
      TestDatabase.Copy.of(DATABASE.table("characters"), DATABASE.table("characters_copy"))
          .mode(Mode.REPLACE)
          .form(form)
          .run();
      assertThat(
              DATABASE.value(
                  "SELECT count(*) FROM characters JOIN characters_copy AS o USING (n)"
                      + " WHERE characters.c = o.c"))
          .isEqualTo(Integer.toString(1_114_111 - 2_048));
    }
  }

  @Test
  void settingsOfTheServerDoNotChangeValues() {
    DATABASE.sql(
        "CREATE TABLE settings (i interval, t timestamptz, d date, f float8, b bytea, m money)",
        "INSERT INTO settings VALUES ('1 day -2 hours', '2024-01-02 03:04:05+06', '2024-03-04',"
            + " 0.1::float8 + 0.2, '\\x00ff', '1.50')",
        "ALTER DATABASE " + DATABASE.name + " SET IntervalStyle = 'sql_standard'",
        "ALTER DATABASE " + DATABASE.name + " SET DateStyle = 'German, DMY'",
        "ALTER DATABASE " + DATABASE.name + " SET extra_float_digits = -10",
        "ALTER DATABASE " + DATABASE.name + " SET bytea_output = 'escape'",
        "ALTER DATABASE " + DATABASE.name + " SET TimeZone = 'Asia/Tokyo'");
    try {
      TestDatabase.Copy.of(DATABASE.table("settings"), DATABASE.table("settings_copy"))
          .form("columns")
          .run();
    } finally {
      DATABASE.sql("ALTER DATABASE " + DATABASE.name + " RESET ALL");
    }
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM settings JOIN settings_copy AS o USING (i, t, d, f, b, m)"))
        .isEqualTo("1");
  }
}
