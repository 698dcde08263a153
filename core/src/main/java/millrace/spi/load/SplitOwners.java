package millrace.spi.load;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinedSession.Attempt;

/// The splits that a process has taken up of a run which another has begun, each by an attempt with
/// a token of its own. The journal keeps the token of the newest attempt at a split, and what
/// others commit of it is refused. Threads may share it.
public final class SplitOwners {

  /// In place of a split's number: all of them.
  public static final int ALL = -1;

  /// How the message of a late attempt begins.
  public static final String OVERTAKEN = "Another attempt has taken up split ";

  private static final String UNKNOWN = "is not known there any more";

  private static final SecureRandom TOKENS = new SecureRandom();

  private final String target;
  private final Table table;
  private final RunRecord run;
  private final Map<Integer, Long> tokens = new ConcurrentHashMap<>();

  /// What a journal keeps of owners. A commit of rows looks up its token there in its own
  /// transaction, by a read that keeps others from changing it meanwhile. If attempts write the
  /// same rows, no token is kept: {@link #put} does nothing but the check.
  public interface Table {

    /// Puts a token in the place of all that were a split's, in a transaction of its own, once
    /// commits that were under way by those are over. From any thread.
    ///
    /// @param split its number; {@link #ALL} if nobody may own any from now on
    /// @param check is given what the journal says of the run but for receipts, with an {@link
    ///   Entry.Sealing} if nobody may own a split; if it throws, nothing is changed
    void put(RunRecord run, int split, long token, Consumer<List<Entry>> check);

    /// Nobody owns a split any more, and all may be owned again; in the transaction of the target's
    /// connection, if one has begun.
    ///
    /// @return whether anybody did
    default boolean clear(RunRecord run) {
      // If none is kept.
      return false;
    }

    /// What has been taken of a split, or of {@link #ALL}. From any thread.
    List<Entry> taken(RunRecord run, int split);
  }

  /// @param target how to name it in messages
  SplitOwners(String target, Table table, RunRecord run) {
    this.target = target;
    this.table = table;
    this.run = run;
  }

  /// Begins another attempt at a split. It owns the split before it asks what is committed, so that
  /// nothing of earlier ones follows.
  Attempt takeUp(Split split) {
    long token = TOKENS.nextLong(1, Long.MAX_VALUE);
    table.put(run, split.index(), token, said -> checkOpen(target, run, said));
    tokens.put(split.index(), token);
    return attempt(split, table.taken(run, split.index()));
  }

  /// The receipts of a split, each of which begins where the one before it ends.
  private static Attempt attempt(Split split, List<Entry> entries) {
    Map<Long, Receipt> byStart = new HashMap<>();
    receipts(entries).forEach(each -> byStart.put(each.split().from(), each));
    List<Receipt> taken = new ArrayList<>();
    Split rest = split;
    while (rest != null) {
      Receipt next = byStart.remove(rest.from());
      if (next == null) {
        break;
      }
      taken.add(next);
      rest = split.rest(next.rest());
    }
    return new Attempt(taken, rest);
  }

  static List<Receipt> receipts(List<Entry> entries) {
    return entries.stream()
        .flatMap(each -> each instanceof Entry.Taken taken ? Stream.of(taken.receipt()) : null)
        .toList();
  }

  /// The token that a commit of a split's rows has to find in the journal.
  public long token(Split split) {
    Long token = tokens.get(split.index());
    if (token == null) {
      throw new Fault.Bug("rows of a split that this process has not taken up", null);
    }
    return token;
  }

  /// What to throw if it does not find it.
  public static Fault overtaken(Split split) {
    return overtaken(OVERTAKEN + split.index() + ". What this one had not committed is undone.");
  }

  /// The same in words that begin as {@link #OVERTAKEN}.
  public static Fault overtaken(String words) {
    return new Fault.External(words, "The newest attempt copies it, unless all has ended.", null);
  }

  /// Sees to it that a run can be joined.
  ///
  /// @param target how to name it
  /// @param entries what its journal says of the run's job
  /// @throws Fault.User if it has ended, is about to, or is not known
  public static void checkOpen(String target, RunRecord run, List<Entry> entries) {
    String why = entries.isEmpty() ? UNKNOWN : "";
    for (Entry entry : entries) {
      why =
          switch (entry) {
            case Entry.Begun begun -> begun.run().id().equals(run.id()) ? "" : UNKNOWN;
            case Entry.Taken _ -> why;
            case Entry.Sealing _ -> why.isEmpty() ? "is about to end" : why;
            case Entry.Complete _ -> why.equals(UNKNOWN) ? why : "is complete";
          };
    }
    if (!why.isEmpty()) {
      throw notJoined(target, run, why);
    }
  }

  /// What to throw if a run can't be joined.
  ///
  /// @param why as the end of a sentence of which the copy is the subject
  public static Fault notJoined(String target, RunRecord run, String why) {
    return new Fault.User(
        "The copy into %s begun at %s can't be joined: it %s."
            .formatted(target, run.startedAt(), why),
        (why.equals(UNKNOWN)
                ? "If this machine does not see there what the driver sees, name a place that all"
                    + " of them share. "
                : "")
            + "See what has become of it with millrace runs.");
  }
}
