package millrace.testkit.suite;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.data.Schema;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.journal.Ledger.Attempts;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;
import millrace.testkit.suite.JournaledSuite.Way;
import millrace.testkit.suite.SharedCopy.Party;

/// What suites of runs share that several processes write to. It has no tests.
public interface JoinedSuite extends JournaledSuite {

  /// Without a key: rows that are written twice are there twice.
  Schema KEYLESS_ITEMS = Schema.of(ITEMS.columns());

  int SHARED_SPLIT_ROWS = 80;

  /// Two in which rows wait, and two in which they don't.
  static Stream<Way> joinedWays() {
    return Stream.of(
        new Way(Mode.CREATE, false),
        new Way(Mode.APPEND, false),
        new Way(Mode.APPEND, true),
        new Way(Mode.TRUNCATE, false));
  }

  default Attempts attempts() {
    try (Target target =
        connector().target(table("joined"), WriteOptions.DEFAULT, new OpenContext())) {
      return Objects.requireNonNull(Journal.of(target)).guarantees().attempts();
    }
  }

  default void needsJoining() {
    Attempts attempts = attempts();
    needs(attempts != Attempts.ONE_PROCESS, "runs that several processes write to");
  }

  /// Ends the test as not offered if attempts come to each row once in another way.
  default void needs(Attempts promise) {
    needs(attempts() == promise, "runs that others write to whose attempts are " + promise);
  }

  /// With a key if the system can't tell rows without one apart.
  default Schema shares() {
    return can(Behaviour.KEYLESS) ? KEYLESS_ITEMS : ITEMS;
  }

  default SharedCopy shared(Way way) {
    needsJoining();
    needs(way);
    Endpoint table = table("joined");
    if (way.mode() != Mode.CREATE) {
      write(shares(), items(0, 10), table);
    }
    return new SharedCopy(connector(), table, shares(), way);
  }

  default SharedCopy shared() {
    return shared(new Way(Mode.CREATE, false));
  }

  default void holdsAll(Way way) {
    boolean adds = way.mode() == Mode.APPEND;
    List<Row> all =
        both(adds ? items(0, 10) : List.of(), items(SharedCopy.FIRST_ROW, SharedCopy.ROWS));
    assertHolds(all, table("joined"));
  }

  default void holdsAll() {
    holdsAll(new Way(Mode.CREATE, false));
  }

  default long rows(List<Receipt> receipts) {
    return receipts.stream().mapToLong(Receipt::rows).sum();
  }

  /// Writes the splits from a number on, and tells of them.
  default void writeFrom(int first, SharedCopy copy, Party by, Party main) {
    for (Split split : copy.splits().subList(first, copy.splits().size())) {
      main.told(by.attempt(split).finishAttempt());
    }
  }
}
