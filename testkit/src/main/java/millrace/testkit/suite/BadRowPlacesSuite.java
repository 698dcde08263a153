package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bad rows at every place of small batches, into tables without a key: what one batch, statement
/// or commit held leaves no trace in the next, so that each good row arrives once and each bad one
/// is set aside under its own place.
public interface BadRowPlacesSuite extends Suite {

  int BATCH_ROWS = 3;

  /// What a row of three columns holds in memory.
  int ROW_BYTES = 30;

  Schema TEXTS =
      Schema.of(ITEMS.names().stream().map(name -> Column.of(name, Type.Text.UNLIMITED)).toList());

  String CONSTRAINED =
      "CREATE TABLE %s (id bigint, name varchar(40) NOT NULL, amount decimal(9,2),"
          + " CHECK (amount <> 13))";

  /// Why a row is refused.
  enum Why {
    NOT_AT_ALL,
    /// A value is none of its column's type.
    MISFIT,
    /// A value is missing, which the target demands.
    MISSING,
    /// The target has a rule against it, or has its key already.
    RULE
  }

  /// A row of the source, and its position there.
  record Given(int at, Why why) {

    private String name() {
      return "row" + at + "x".repeat(at % 5);
    }

    Row text() {
      String id = Integer.toString(at);
      return switch (why) {
        case NOT_AT_ALL -> Row.of(id, name(), at % 7 + ".50");
        case MISFIT -> Row.of("no number " + at, name(), at % 2 == 0 ? "none either" : "1.00");
        case MISSING -> Row.of(id, null, "1.00");
        case RULE -> Row.of(id, name(), "13.00");
      };
    }

    Row typed() {
      return Row.of(at, name(), at % 7 * 100 + 50);
    }

    String record() {
      return text().values().stream()
          .map(value -> value == null ? "" : value.toString())
          .collect(Collectors.joining(","));
    }
  }

  /// A batch of each pattern of such rows, with a batch of good rows behind it.
  private static List<Given> everyPattern(List<Why> reasons) {
    int patterns = (int) Math.pow(reasons.size(), BATCH_ROWS);
    List<Given> rows = new ArrayList<>();
    for (int pattern = 0; pattern < patterns; pattern++) {
      int left = pattern;
      for (int i = 0; i < BATCH_ROWS; i++) {
        rows.add(new Given(rows.size(), reasons.get(left % reasons.size())));
        left /= reasons.size();
      }
      for (int i = 0; i < BATCH_ROWS; i++) {
        rows.add(new Given(rows.size(), Why.NOT_AT_ALL));
      }
    }
    return rows;
  }

  /// With commits that end within patterns, statements that end within batches, and several lanes.
  @ParameterizedTest
  @CsvSource({"1, 10000,, 9", "1, 30, 2, 15", "3, 24,, 7"})
  default void goodRowsArriveOnceWhereverBadOnesStand(
      int lanes, int splitRows, @Nullable Integer writeRows, @Nullable Integer commitRows)
      throws IOException {
    needs(Behaviour.EXISTING_COLUMNS);
    Endpoint table = table("bad_places");
    boolean constrained = can(Behaviour.SQL);
    if (constrained) {
      sql("bad_places", CONSTRAINED);
    }
    boolean hasRules = constrained || !can(Behaviour.KEYLESS);
    Schema typed = typed();
    List<Given> given =
        everyPattern(Stream.of(Why.values()).filter(why -> why != Why.RULE || hasRules).toList());
    List<Row> rows = new ArrayList<>();
    if (!constrained) {
      given.stream()
          .filter(each -> each.why == Why.RULE)
          .map(each -> Row.of(each.at, "there", null))
          .forEach(rows::add);
      write(typed, rows, table);
    }
    List<Given> bad = given.stream().filter(each -> each.why != Why.NOT_AT_ALL).toList();
    Path file = aside().resolve("bad.csv");
    Ran run =
        into(TEXTS, given.stream().map(Given::text).toList(), table)
            .mode(Mode.APPEND)
            .lanes(lanes, (long) splitRows * ROW_BYTES)
            .units(amount(BATCH_ROWS), amount(writeRows), amount(commitRows))
            .rejects(new Job.RejectPolicy(bad.size(), file))
            .run();
    given.stream().filter(each -> each.why == Why.NOT_AT_ALL).map(Given::typed).forEach(rows::add);
    RowCheck.sameRows(typed, rows, read(typed, table));
    assertThat(run.meter().rejects()).isEqualTo(bad.size());
    assertThat(run.meter().rowsDurable()).isEqualTo(given.size() - bad.size());
    checkSetAside(bad, file, splitRows > given.size());
  }

  /// With a key only if there has to be one.
  private Schema typed() {
    List<Column> columns = new ArrayList<>(ITEMS.columns());
    columns.set(0, new Column("id", new Type.Int(64), can(Behaviour.KEYLESS), null));
    columns.set(1, new Column("name", Type.Text.UNLIMITED, false, null));
    return new Schema(columns, can(Behaviour.KEYLESS) ? List.of() : List.of("id"));
  }

  private static @Nullable Amount amount(@Nullable Integer rows) {
    return rows == null ? null : new Amount(rows, false);
  }

  /// Checks that the file has just those rows, and that each reason is the one of its row.
  private static void checkSetAside(List<Given> bad, Path file, boolean oneSplit)
      throws IOException {
    List<String> records = Files.readAllLines(file);
    assertThat(records.removeFirst()).isEqualTo("id,name,amount");
    assertThat(records)
        .containsExactlyInAnyOrderElementsOf(bad.stream().map(Given::record).toList());
    List<String> reasons = Files.readAllLines(Job.RejectPolicy.reasons(file));
    assertThat(reasons).hasSameSizeAs(records);
    for (int i = 0; i < records.size(); i++) {
      JsonNode reason = new ObjectMapper().readTree(reasons.get(i));
      int at = reason.path("row").asInt() - 1;
      if (oneSplit && reason.has("row_of_split")) {
        assertThat(reason.path("row_of_split").asInt()).as(reason.toString()).isEqualTo(at + 1);
      }
      Given row =
          bad.stream()
              .filter(each -> each.at == at)
              .findFirst()
              .orElseThrow(() -> new AssertionError("no bad row: " + reason));
      assertThat(records.get(i)).as(reason.toString()).isEqualTo(row.record());
      assertThat(reason.path("reason").asText().contains("no number " + at))
          .as(reason.toString())
          .isEqualTo(row.why == Why.MISFIT);
    }
  }
}
