package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.plan.Plan;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Values of every type that PostgreSQL has arrive as they were, by every way.
class PostgresValuesTest {

  private static final TestDatabase DATABASE = TestDatabase.make();

  private static final AtomicInteger TABLES = new AtomicInteger();

  @BeforeAll
  static void makeTypes() {
    DATABASE.sql(TypeSamples.TYPES);
  }

  static Stream<String> types() {
    return TypeSamples.declarations(DATABASE.server);
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyValueArrivesAsItWasByEveryForm(String type) {
    String table = "t" + TABLES.incrementAndGet();
    String rows =
        TypeSamples.values(DATABASE.server, type).stream()
            .map(value -> "(" + value + "), (NULL)")
            .collect(Collectors.joining(", "));
    DATABASE.sql(
        "CREATE TABLE " + table + " (n serial PRIMARY KEY, v " + type + ")",
        "INSERT INTO " + table + " (v) VALUES " + rows);
    for (String form : List.of(PostgresForms.BINARY, PostgresForms.TEXT, "columns")) {
      String to = table + "_" + form.charAt(form.length() - 1);
      Copying copy = TestDatabase.copy(DATABASE.table(table), DATABASE.table(to));
      if (!form.equals(PostgresForms.BINARY) || isPortable(type)) {
        copy.form(form).run();
      } else {
        assertThat(copy.run().plan().form().name()).isEqualTo(PostgresForms.TEXT);
      }
      String query = "SELECT t::text FROM %s AS t ORDER BY n";
      assertThat(DATABASE.column(query.formatted(to)))
          .as(form)
          .isEqualTo(DATABASE.column(query.formatted(table)));
      String declared =
          "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid ="
              + " '%s'::regclass AND attname = 'v'";
      assertThat(DATABASE.value(declared.formatted(to)))
          .isEqualTo(DATABASE.value(declared.formatted(table)));
    }
  }

  private static boolean isPortable(String type) {
    return !List.of(
                "xml",
                "xml[]",
                "regclass",
                "regtype",
                "txid_snapshot",
                "public.mood[]",
                "public.price[]",
                "public.pair",
                "public.pair[]",
                "public.limited",
                "public.limited[]",
                "public.outer_pair",
                "public.floatrange")
            .contains(type)
        // A name that holds the sign that parts the names of a form.
        && !type.contains(";");
  }

  @Test
  void aTableOfAllTypesAtOnceArrivesAsItWas() {
    List<String> types = TypeSamples.declarations(DATABASE.server).toList();
    String columns =
        types.stream()
            .map(type -> "c" + types.indexOf(type) + " " + type)
            .collect(Collectors.joining(", "));
    String values =
        types.stream()
            .map(type -> TypeSamples.values(DATABASE.server, type).getFirst())
            .collect(Collectors.joining(", "));
    DATABASE.sql("CREATE TABLE everything (" + columns + ")");
    DATABASE.sql("INSERT INTO everything VALUES (" + values + ")");
    for (String form : List.of(PostgresForms.TEXT, "columns")) {
      Plan plan =
          TestDatabase.copy(DATABASE.table("everything"), DATABASE.table("everything_copy"))
              .mode(Mode.REPLACE)
              .form(form)
              .run()
              .plan();
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
      TestDatabase.copy(DATABASE.table("characters"), DATABASE.table("characters_copy"))
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
        "CREATE TABLE settings (i interval, t timestamptz, d date, f float8, b bytea, m money,"
            + " a text[])",
        "INSERT INTO settings VALUES ('1 day -2 hours', '2024-01-02 03:04:05+06', '2024-03-04',"
            + " 0.1::float8 + 0.2, '\\x00ff', '1.50', ARRAY['NULL', NULL])",
        "ALTER DATABASE " + DATABASE.name + " SET IntervalStyle = 'sql_standard'",
        "ALTER DATABASE " + DATABASE.name + " SET DateStyle = 'German, DMY'",
        "ALTER DATABASE " + DATABASE.name + " SET extra_float_digits = -10",
        "ALTER DATABASE " + DATABASE.name + " SET bytea_output = 'escape'",
        "ALTER DATABASE " + DATABASE.name + " SET array_nulls = off",
        "ALTER DATABASE " + DATABASE.name + " SET TimeZone = 'Asia/Tokyo'");
    try {
      TestDatabase.copy(DATABASE.table("settings"), DATABASE.table("settings_copy"))
          .form("columns")
          .run();
    } finally {
      DATABASE.sql("ALTER DATABASE " + DATABASE.name + " RESET ALL");
    }
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM settings JOIN settings_copy AS o USING (i, t, d, f, b, m,"
                    + " a)"))
        .isEqualTo("1");
  }
}
