package millrace.connectors.sql.h2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.suite.ConnectorSuite;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.ManyTablesSuite;
import millrace.testkit.suite.SourceSuite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every connector promises of modes, many tables and reading, on an H2 of this process.
class H2SuiteTest extends H2Fixture
    implements ConnectorSuite, KitSuite, ManyTablesSuite, SourceSuite {

  /// Also if the user names other columns than the key.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "id VARCHAR(40) PRIMARY KEY, since DATE",
        "id UUID PRIMARY KEY, since DATE",
        "id INT, since DATE, PRIMARY KEY (since, id)",
        "id DECIMAL(30,2), since DATE, PRIMARY KEY (id, since)"
      })
  void aTableIsCutByTheFirstColumnOfItsKey(String columns) {
    sql("t", "CREATE TABLE %s (" + columns + ")");
    String id = columns.contains("UUID") ? "CAST(LPAD(x, 32, '0') AS UUID)" : "x";
    sql(
        "t",
        "INSERT INTO %s SELECT "
            + id
            + ", DATEADD('DAY', MOD(x, 99), DATE '2024-02-29')"
            + " FROM SYSTEM_RANGE(1, 3000)");
    for (Selection selection :
        List.of(Selection.ALL, new Selection(List.of("since"), null, Long.MAX_VALUE))) {
      try (Source source = connector().source(table("t"), selection, new OpenContext())) {
        DescribedSource described = source.describe(new ColumnRequest.Typed());
        try (ReadSession reading = Reading.open(described, 2_000)) {
          List<Split> splits = Reading.splits(reading);
          assertThat(splits).hasSizeGreaterThan(5);
          assertThat(Reading.rows(reading, splits, null)).hasSize(3_000);
        }
      }
    }
  }

  /// It is no bug, and the other columns can be read.
  @Test
  void aColumnOfATypeThatIsNotKnownIsRefusedByName() {
    sql("t", "CREATE TABLE %s (id BIGINT, lasts INTERVAL DAY)");
    sql("t", "INSERT INTO %s VALUES (7, INTERVAL '3' DAY)");
    Schema ids = Schema.of(List.of(Column.of("id", new Type.Int(64))));
    assertThatThrownBy(() -> read(ids, table("t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(kept("lasts"))
        .hasMessageContaining("INTERVAL DAY");
    assertThat(read(ids, query("id", "t", "1 = 1"))).containsExactly(Row.of(7));
  }

  /// If it has a value: a missing one has none to show.
  @Test
  void aRowThatDoesNotFitIsNamedByItsValue(@TempDir Path folder) throws IOException {
    sql("t", "CREATE TABLE %s (id BIGINT, name VARCHAR(40) NOT NULL, f DOUBLE PRECISION)");
    Schema schema =
        Schema.of(
            List.of(
                Column.of("id", new Type.Int(64)),
                Column.of("name", Type.Text.UNLIMITED),
                Column.of("f", new Type.Float(64))));
    List<Row> rows = List.of(Row.of(1, null, 1.5), Row.of(2, "a", Double.NaN), Row.of(3, "b", 2.5));
    Path file = folder.resolve("bad.csv");
    into(schema, rows, table("t")).mode(Mode.APPEND).rejects(new Job.RejectPolicy(2, file)).run();
    RowCheck.sameRows(schema, rows.subList(2, 3), read(schema, table("t")));
    List<String> reasons = new ArrayList<>();
    for (String line : Files.readAllLines(Job.RejectPolicy.reasons(file))) {
      JsonNode reason = new ObjectMapper().readTree(line);
      reasons.add(reason.path("column").asText() + ": " + reason.path("reason").asText());
    }
    assertThat(reasons)
        .containsExactly(
            kept("name") + ": has no value, and the target demands one.",
            kept("f") + ": NaN is no number to the database.");
  }
}
