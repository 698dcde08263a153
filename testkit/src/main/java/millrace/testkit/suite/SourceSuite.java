package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import millrace.copy.SharedMoment;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.Values;
import millrace.text.Amount;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every connector that can be read does. A subclass names the connector and gives a table;
/// connectors that can be written as well take {@link ConnectorSuite}.
///
/// If a test has a time limit, it only keeps a hang from holding the build up.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public interface SourceSuite extends Suite {

  /// Small enough that the table of {@link #filled} has many splits.
  long SPLIT_BYTES = 8 << 10;

  private Source open(Selection selection) {
    return connector().source(filled(), selection, new OpenContext());
  }

  private List<Row> all() {
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, Long.MAX_VALUE)) {
        return Reading.rows(session, Reading.splits(session), null);
      }
    }
  }

  @Test
  default void everyReasonIsGiven() {
    assertThat(cannot().values()).allMatch(reason -> !reason.isBlank());
  }

  @Test
  default void splitsReadInAnyOrderByDifferentReadersGiveEachRowOnce() {
    List<Row> expected = all();
    assertThat(new HashSet<>(expected)).hasSameSizeAs(expected).hasSizeGreaterThan(1_000);
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      Schema schema = described.description().schema();
      try (ReadSession session = Reading.open(described, SPLIT_BYTES)) {
        List<Split> splits = Reading.splits(session);
        if (can(Behaviour.SPLITS)) {
          assertThat(splits).hasSizeGreaterThan(1);
        }
        assertThat(splits).extracting(Split::index).doesNotHaveDuplicates().isSorted();
        List<Split> mixed = new ArrayList<>(splits);
        Collections.reverse(mixed);
        List<Row> rows = new ArrayList<>();
        rows.addAll(Reading.rows(session, mixed.subList(0, mixed.size() / 2), null));
        rows.addAll(Reading.rows(session, mixed.subList(mixed.size() / 2, mixed.size()), null));
        RowCheck.sameRows(schema, expected, rows);
      }
    }
  }

  /// Also behind its last batch, where nothing is left, and whatever was read ahead of the next.
  @Test
  default void whatIsLeftOfASplitIsReadByItself() {
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      Schema schema = described.description().schema();
      try (ReadSession session = Reading.open(described, SPLIT_BYTES)) {
        for (Split split : Reading.splits(session)) {
          List<Row> given = new ArrayList<>();
          List<Integer> counts = new ArrayList<>();
          List<Split> rests = new ArrayList<>();
          try (Reader reader = session.reader(Reading.context(new Amount(100, false)))) {
            reader.start(split);
            for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
              given.addAll(Values.rows((Columns) batch));
              batch.release();
              Split rest = reader.rest();
              if (rest != null) {
                rests.add(rest);
                counts.add(given.size());
              }
            }
          }
          for (int i = rests.size() - 1; i >= 0; i--) {
            List<Row> left = given.subList(counts.get(i), given.size());
            List<Row> read = Reading.rows(session, List.of(rests.get(i)), null);
            RowCheck.sameRows(schema, left, read);
          }
        }
      }
    }
  }

  @Test
  default void aSplitIsReadInAnotherProcess() throws IOException, InterruptedException {
    needs(Behaviour.OTHER_PROCESS);
    ReadPlan plan = ReadPlan.of(new ColumnRequest.Typed(), SPLIT_BYTES, 2);
    Split last;
    List<String> expected;
    try (Source source = open(Selection.ALL)) {
      try (ReadSession session = source.describe(plan.columnRequest()).open(plan)) {
        last = Reading.splits(session).getLast();
        expected =
            Reading.rows(session, List.of(last), null).stream().map(ChildRead::spelled).toList();
      }
    }
    assertThat(expected).isNotEmpty();
    assertThat(ChildRead.rows(connector(), filled(), plan, List.of(last)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /// If it can't be read by several processes in one state, that is refused, with the reason and
  /// what to do.
  @Test
  default void severalProcessesReadItInOneStateOrAreRefused() {
    Endpoint filled = filled();
    ThrowingCallable shared =
        () -> {
          try (SharedMoment moment = endOpener().moment(filled);
              Source source = connector().source(moment.end(), Selection.ALL, new OpenContext())) {
            moment.check(source.describe(new ColumnRequest.Typed()).description());
          }
        };
    if (can(Behaviour.SHARED_MOMENT)) {
      assertThatCode(shared).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(shared)
          .isInstanceOfSatisfying(
              Fault.User.class, fault -> assertThat(fault.advice()).contains("one machine"))
          .hasMessageContaining(filled.label())
          .hasMessageContaining("can't be read by several processes: ");
    }
  }

  @Test
  default void batchesKeepTheirValuesUntilTheyAreReleased() {
    List<Row> expected = all();
    List<Row> rows = new ArrayList<>();
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      Schema schema = described.description().schema();
      ArrayDeque<Columns> held = new ArrayDeque<>();
      try (ReadSession session = Reading.open(described, SPLIT_BYTES);
          Reader reader = session.reader(Reading.context(new Amount(50, false)))) {
        for (Split split : Reading.splits(session)) {
          reader.start(split);
          for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            held.add((Columns) batch);
            if (held.size() > 6) {
              takeOldest(held, rows);
            }
          }
        }
        while (!held.isEmpty()) {
          takeOldest(held, rows);
        }
      }
      RowCheck.sameRows(schema, expected, rows);
    }
  }

  private static void takeOldest(ArrayDeque<Columns> held, List<Row> rows) {
    Columns oldest = held.remove();
    rows.addAll(Values.rows(oldest));
    oldest.release();
  }

  @Test
  default void aSmallReadUnitGivesTheSameRows() {
    List<Row> expected = all();
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      Schema schema = described.description().schema();
      try (ReadSession session = Reading.open(described, Long.MAX_VALUE)) {
        List<Split> splits = Reading.splits(session);
        RowCheck.sameRows(schema, expected, Reading.rows(session, splits, new Amount(7, false)));
      }
    }
  }

  @Test
  default void batchesSayWhichSplitTheyAreOf() {
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, SPLIT_BYTES);
          Reader reader = session.reader(Reading.context(null))) {
        for (Split split : Reading.splits(session)) {
          reader.start(split);
          for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            Location location = batch.location();
            assertThat(location.split()).isEqualTo(split.index());
            assertThat(location.resource()).isNotEmpty();
            assertThat(batch.sourceBytes()).isPositive();
            batch.release();
          }
        }
      }
    }
  }

  @Test
  default void someColumnsComeInTheOrderAskedFor() {
    List<Row> all = all();
    List<String> names = names();
    List<String> some = List.of(names.getLast(), names.getFirst());
    List<Row> expected = all.stream().map(row -> row.pick(List.of(names.size() - 1, 0))).toList();
    try (Source source = open(new Selection(some, null, Long.MAX_VALUE))) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      Schema schema = described.description().schema();
      assertThat(schema.names()).isEqualTo(some);
      try (ReadSession session = Reading.open(described, SPLIT_BYTES)) {
        List<Split> splits = Reading.splits(session);
        RowCheck.sameRows(schema, expected, Reading.rows(session, splits, null));
      }
    }
  }

  private List<String> names() {
    try (Source source = open(Selection.ALL)) {
      return source.describe(new ColumnRequest.Typed()).description().schema().names();
    }
  }

  @Test
  default void aColumnThatDoesNotExistIsRefusedByName() {
    Selection selection = new Selection(List.of("no_such_column"), null, Long.MAX_VALUE);
    assertThatThrownBy(
            () -> {
              try (Source source = open(selection)) {
                source.describe(new ColumnRequest.Typed());
              }
            })
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no_such_column");
  }

  @Test
  default void aTableThatDoesNotExistIsNamed() {
    assertThatThrownBy(
            () -> {
              try (Source source =
                  connector().source(missing(), Selection.ALL, new OpenContext())) {
                source.describe(new ColumnRequest.Typed());
              }
            })
        .isInstanceOf(Fault.User.class)
        .message()
        .containsIgnoringCase(missingName());
  }

  @Test
  default void closingTwiceIsHarmless() {
    Source source = open(Selection.ALL);
    DescribedSource described = source.describe(new ColumnRequest.Typed());
    ReadSession session = Reading.open(described, SPLIT_BYTES);
    Splits splits = session.splits();
    Split first = splits.next();
    assertThat(first).isNotNull();
    Reader reader = session.reader(Reading.context(null));
    reader.start(Objects.requireNonNull(first));
    assertThat(reader.next()).isNotNull();
    reader.close();
    reader.close();
    splits.close();
    splits.close();
    session.close();
    session.close();
    source.close();
    source.close();
  }

  @Test
  default void aSourceThatWasOnlyOpenedCanBeClosed() {
    open(Selection.ALL).close();
  }

  @Test
  default void aCancelledReaderEndsWithAFaultOrItsRows() {
    Set<Row> expected = new HashSet<>(all());
    try (Source source = open(Selection.ALL)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, Long.MAX_VALUE);
          Reader reader = session.reader(Reading.context(new Amount(10, false)))) {
        reader.start(Reading.splits(session).getFirst());
        take(reader.next(), expected);
        reader.cancel();
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          take(batch, expected);
        }
      } catch (Fault fault) {
        assertThat(fault).isNotInstanceOf(Fault.Bug.class);
      }
    }
  }

  private static void take(@Nullable Batch batch, Set<Row> expected) {
    Columns columns = (Columns) Objects.requireNonNull(batch);
    assertThat(expected).containsAll(Values.rows(columns));
    columns.release();
  }
}
