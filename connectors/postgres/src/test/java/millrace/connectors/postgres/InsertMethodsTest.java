package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.meter.CounterWatch;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows arrive alike by whatever method they are handed over, and the report tells what each method
/// and write unit cost on the wire and in the server.
class InsertMethodsTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final PostgresConnector POSTGRES = new PostgresConnector();
  private static final int ROWS = 3000;

  @BeforeAll
  static void rows() {
    DATABASE.sql("CREATE DOMAIN small AS int CHECK (value < 1000000)");
    DATABASE.sql(
        "CREATE TABLE given AS SELECT n, (n * 1.25)::numeric(12,2) AS amount,"
            + " CASE n % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN E'a\\tb\\\\c\\nd\\re'"
            + " WHEN 3 THEN '\\N' ELSE 'Grüße ''\"' END AS words,"
            + " n % 2 = 0 AS even, decode(lpad(to_hex(n), 8, '0'), 'hex') AS raw,"
            + " timestamp '2026-01-01' + n * interval '1.5 s' AS at,"
            + " timestamptz '2026-01-01 00:00Z' - n * interval '1 day' AS atz,"
            + " ('{\"n\": ' || n || '}')::jsonb AS doc, ARRAY[n, NULL, 2] AS list,"
            + " ('10.0.0.' || n % 250)::inet AS host, n::small AS tiny, n / 3.0::float8 AS third"
            + " FROM generate_series(1, "
            + ROWS
            + ") n");
  }

  private static Endpoint end(String table, String method) {
    Map<String, String> parameters = new HashMap<>(Map.of("table", table));
    if (!method.isEmpty()) {
      parameters.put("method", method);
    }
    return DATABASE.endpoint(parameters);
  }

  private static Map<String, Long> copy(Endpoint from, Endpoint to, Amount unit) {
    Job job =
        new Job(
            from,
            to,
            Selection.ALL,
            new WriteOptions(Mode.APPEND, false, List.of(), false),
            new Job.Tuning(1, false, null, unit, null),
            Job.RejectPolicy.NONE);
    try (Source source = POSTGRES.source(from, Selection.ALL, new OpenContext());
        Target target = POSTGRES.target(to, job.writeOptions(), new OpenContext())) {
      Planned planned = Planner.plan(job, source, target);
      try (CounterWatch watch = CounterWatch.start(source, target)) {
        new Run(planned, RunOptions.DEFAULT).execute().orThrow();
        return watch.finish().counters().stream()
            .filter(counter -> counter.end().equals("target"))
            .collect(
                Collectors.toMap(
                    counter -> counter.group() + "." + counter.name(),
                    CounterWatch.Counter::change));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"normal,1", "normal,100", "direct,1", "direct,7", "direct,100000", "native,100"})
  void theSameRowsArriveByEveryMethodAndUnit(String method, int unit) {
    String table = "by_" + method + "_" + unit;
    DATABASE.sql("CREATE TABLE " + table + " (LIKE given)");
    copy(end("given", ""), end(table, method), new Amount(unit, false));
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM (SELECT n, given::text FROM given EXCEPT SELECT n, t::text"
                    + " FROM "
                    + table
                    + " t) x"))
        .isEqualTo("0");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("" + ROWS);
  }

  @Test
  void theUnitDecidesHowOftenTheServerIsAskedAndTheServersCountersAgree() {
    DATABASE.sql("CREATE TABLE one_by_one (LIKE given)");
    DATABASE.sql("CREATE TABLE by_hundreds (LIKE given)");
    Map<String, Long> single =
        copy(end("given", ""), end("one_by_one", "normal"), new Amount(1, false));
    Map<String, Long> hundreds =
        copy(end("given", ""), end("by_hundreds", "normal"), new Amount(100, false));
    assertThat(single.get("wire.round_trips")).isBetween((long) ROWS, ROWS + 60L);
    assertThat(hundreds.get("wire.round_trips")).isBetween((long) ROWS / 100, ROWS / 100 + 60L);
    assertThat(single.get("wire.bytes_sent")).isGreaterThan(hundreds.get("wire.bytes_sent"));
    assertThat(single.get("wire.calls")).isBetween((long) ROWS, ROWS + 60L);
    // Those of the whole database: the journal's and the catalog's come on top, and what autovacuum
    // notes of tables at that moment.
    if (DATABASE.server.version() >= 150_000) {
      assertThat(single.get("pg_stat_database.tup_inserted"))
          .isBetween((long) ROWS, ROWS + ROWS / 10L);
      assertThat(single.get("pg_stat_wal.wal_bytes")).isGreaterThan(ROWS * 50L);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"normal", "direct"})
  void aRowThatTheServerRefusesStopsTheRunWithThePlaceAndNothingOfTheSplitStays(String method) {
    String table = "refuses_" + method;
    DATABASE.sql("CREATE TABLE " + table + " (LIKE given, CHECK (n <> 1234))");
    assertThatThrownBy(() -> copy(end("given", ""), end(table, method), new Amount(50, false)))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(table)
        .hasMessageContaining("violates check constraint");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("0");
  }

  @Test
  void anUnknownMethodIsToldWithThoseThatThereAre() {
    assertThatThrownBy(
            () -> POSTGRES.target(end("given", "fast"), WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessage("There is no insert method fast.");
  }

  @Test
  void countersThatTheUserMayNotReadAreMissingByNameAndTheRestIsThere() {
    DATABASE.sql("CREATE ROLE blind LOGIN");
    DATABASE.sql("GRANT SELECT ON given TO blind");
    DATABASE.sql("REVOKE SELECT ON pg_catalog.pg_stat_bgwriter FROM PUBLIC");
    Endpoint asBlind = DATABASE.as("blind", Secret.NONE, Map.of("table", "given"));
    try (Source source = POSTGRES.source(asBlind, Selection.ALL, new OpenContext());
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      assertThat(counters.read().missing())
          .singleElement()
          .asString()
          .startsWith("pg_stat_bgwriter: permission denied");
      assertThat(counters.read().counts())
          .anyMatch(count -> count.group().equals("pg_stat_database"));
    } finally {
      DATABASE.sql("GRANT SELECT ON pg_catalog.pg_stat_bgwriter TO PUBLIC");
    }
  }
}
