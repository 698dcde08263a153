package millrace.connectors.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies that are killed and go on, in a real PostgreSQL.
class PostgresResumeSuiteTest extends PostgresResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

  /// Puts an empty journal of the shape that versions made before it had the same one everywhere in
  /// the place of the journal.
  private void makeEarlierTable() {
    DATABASE.sql(
        """
        DROP TABLE IF EXISTS %1$s.millrace_journal;
        CREATE TABLE %1$s.millrace_journal (
          run text NOT NULL,
          split integer NOT NULL,
          from_position bigint NOT NULL,
          rows bigint NOT NULL,
          bytes bigint NOT NULL,
          checksum bigint NOT NULL,
          rest_position bigint,
          details text NOT NULL,
          PRIMARY KEY (run, split, from_position))
        """
            .formatted(schema));
  }

  /// Puts the journal that there is into a table of that shape, as those versions wrote it.
  private void moveToEarlierTable() {
    DATABASE.sql("ALTER TABLE %s.millrace_journal RENAME TO new_journal".formatted(schema));
    makeEarlierTable();
    DATABASE.sql(
        """
        INSERT INTO %1$s.millrace_journal
        SELECT run, split, from_position, coalesce((receipt ->> 'rows')::bigint, 0),
          coalesce((receipt ->> 'bytes')::bigint, 0),
          coalesce((receipt ->> 'checksum')::bigint, 0),
          (receipt #>> '{rest,from}')::bigint, details
        FROM (SELECT *, split_part(details, E'\\n', 1)::json #> '{taken,receipt}' AS receipt
          FROM %1$s.new_journal) AS known;
        DROP TABLE %1$s.new_journal
        """
            .formatted(schema));
  }

  /// Puts what a version before journals had one spelling has kept of a run in the place of what is
  /// kept of the one run that there is.
  ///
  /// @return the condition of the rows that it tells of
  private String putEarlier(String state, Mode mode) throws IOException {
    String file = "journal-" + mode.name().toLowerCase(Locale.ROOT) + "-" + state + ".txt";
    String journal = schema + ".millrace_journal";
    String target = schema + ".orders_" + mode.name().toLowerCase(Locale.ROOT);
    String staging =
        value("SELECT split_part(details, '\\\"', 4) FROM " + journal + " WHERE split = -1");
    String oid = value("SELECT coalesce(to_regclass('" + target + "')::oid, 0)");
    makeEarlierTable();
    List<String> told = new ArrayList<>();
    try (InputStream lines = PostgresResumeSuiteTest.class.getResourceAsStream(file)) {
      String text = new String(Objects.requireNonNull(lines).readAllBytes(), UTF_8);
      for (String line : text.lines().toList()) {
        String[] columns = line.split("\\|", 8);
        String details =
            columns[7]
                .replace("@SCHEMA@", schema)
                .replace("@STAGING@", staging)
                .replace("@OID@", oid);
        DATABASE.sql(
            "INSERT INTO %s VALUES ('%s', %s, %s, %s, %s, %s, %s, '%s')"
                .formatted(
                    journal,
                    columns[0],
                    columns[1],
                    columns[2],
                    columns[3],
                    columns[4],
                    columns[5],
                    columns[6],
                    details));
        told.add("id - 1000 BETWEEN %3$s AND %3$s + %4$s - 1".formatted((Object[]) columns));
      }
    }
    return String.join(" OR ", told);
  }

  private static String value(String sql) {
    return String.valueOf(DATABASE.column(sql).getFirst());
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND"})
  void aCopyThatAnEarlierVersionHasBegunGoesOn(Mode mode) throws IOException {
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    String told = putEarlier("cut-off", mode);
    String filled = mode == Mode.CREATE ? leftovers(name).getFirst() : name;
    DATABASE.sql("DELETE FROM %s.%s WHERE id >= 1000 AND NOT (%s)".formatted(schema, filled, told));
    assertThat(copy.run().meter().rowsBefore()).isEqualTo(300);
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
    putEarlier("complete", mode);
    assertNothingToDo(copy);
    DATABASE.sql("TRUNCATE " + schema + "." + name);
    assertRefused(copy, "is empty, though 640 rows had been committed");
    lose(Loss.TABLE, name);
    assertRefused(copy, "is not there any more");
    DATABASE.sql("UPDATE " + schema + ".millrace_journal SET details = '{\"run\":3}'");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("DROP TABLE"))
        .hasMessageContaining("was written by another version of Millrace");
  }

  /// The columns of the journal, in their order.
  private String journalColumns() {
    return value(
        """
        SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = '%s.millrace_journal'::regclass AND attnum > 0
        """
            .formatted(schema));
  }

  /// Others may be at work with such a table, or own it: it stays as it is.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND", "TRUNCATE"})
  void aCopyWhoseJournalIsOfTheShapeThatEarlierVersionsMadeGoesOn(Mode mode) {
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    assertThat(journalColumns()).isEqualTo("run split from_position job target details");
    moveToEarlierTable();
    String shape = journalColumns();
    assertThat(shape).contains("rows").doesNotContain("job");
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    assertThat(copy.run().meter().rowsBefore()).isPositive();
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
    ResumableCopy other = copy(rows(5_000, ROWS), table("another"), Mode.CREATE);
    kill(other, ResumableCopy.Kill.BEFORE_THE_END);
    assertThat(other.run().meter().rowsBefore()).isPositive();
    assertHolds(rows(5_000, ROWS), "another", other);
    assertNothingToDo(other);
    assertThat(value("SELECT count(*) FROM " + schema + ".millrace_journal WHERE split = -1"))
        .isEqualTo("2");
    assertThat(journalColumns()).isEqualTo(shape);
  }
}
