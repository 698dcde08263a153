package millrace.spi.load;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinedSession.Attempt;
import org.jspecify.annotations.Nullable;

/// The splits that a process has taken up of a run which another has begun, each by an attempt with
/// a token of its own. The journal keeps the token of the newest attempt at a split, and what others
/// commit of it is refused. Threads may share it.
public final class SplitOwners {

  /// In place of a split's number: all of them.
  public static final int ALL = -1;

  private static final SecureRandom TOKENS = new SecureRandom();

  private final String target;
  private final Table table;
  private final RunRecord run;
  private final Map<Integer, Long> tokens = new ConcurrentHashMap<>();

  /// What a journal keeps of owners. A commit of rows looks up its token there in its own
  /// transaction, by a read that keeps others from changing it meanwhile.
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
    void clear(RunRecord run);

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
    List<Receipt> receipts = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Taken taken) {
        receipts.add(taken.receipt());
      }
    }
    return receipts;
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
    return new Fault.External(
        String.format(
            "Another attempt has taken up split %d of %s, or the copy has ended: what this one had"
                + " not committed is undone.",
            split.index(), split.resource()),
        "Nothing is lost: the newest attempt copies the split.",
        null);
  }

  /// Sees to it that a run can be joined.
  ///
  /// @param target how to name it
  /// @param entries what its journal says of the run's job
  /// @throws Fault.User if it has ended, is about to, or is not known
  public static void checkOpen(String target, RunRecord run, List<Entry> entries) {
    String why = null;
    boolean isKnown = false;
    for (Entry entry : entries) {
      switch (entry) {
        case Entry.Begun begun -> isKnown = begun.run().id().equals(run.id());
        case Entry.Taken _ -> {
          // More may follow.
        }
        case Entry.Sealing _ -> why = why == null ? "is about to end: all of its rows are there" : why;
        case Entry.Complete _ -> why = "is complete";
      }
    }
    @Nullable String reason = isKnown ? why : "is not known there any more";
    if (reason != null) {
      throw new Fault.User(
          "The copy into " + target + " begun at " + run.startedAt() + " can't be joined: it " + reason + ".",
          "Nothing is left to do for it here.");
    }
  }
}
