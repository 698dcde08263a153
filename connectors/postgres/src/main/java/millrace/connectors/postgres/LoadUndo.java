package millrace.connectors.postgres;

import java.util.List;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Sequences;
import millrace.connectors.postgres.journal.JournaledLoad;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.TargetConnections;
import millrace.fault.Fault;
import millrace.spi.write.Aborted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Undoes a load that has failed or was stopped, or leaves it for a run that goes on with it. On
/// connections of its own, since the target's may be lost or in the middle of something.
///
/// @param journal what is kept of the run; null if nothing is
record LoadUndo(TargetConnections connections, LoadPlan plan, @Nullable JournaledLoad journal) {

  private static final Logger LOG = LoggerFactory.getLogger(LoadUndo.class);

  /// See {@link millrace.spi.write.WriteSession#abort}.
  ///
  /// @param known what stays, as far as it is known already
  Aborted abort(boolean keep, Aborted known) {
    JournaledLoad left = keep && !plan.oneTransaction() ? journal : null;
    Aborted aborted =
        left == null || (plan.staged() && left.isLost()) ? undo(known) : leave(left, known);
    return journal != null && journal.isForgotten()
        ? aborted
            .goneIf(true)
            .leaving(
                ("Whether rows that this copy had committed are there still, nobody can tell. "
                        + aborted.leaves())
                    .strip())
        : aborted;
  }

  /// If the server can't be asked, the journal stays as it is.
  private Aborted leave(JournaledLoad left, Aborted known) {
    boolean kept = !left.isLost();
    Aborted aborted = known;
    try (Session own = connections.toUndo()) {
      if (!left.isKnown(own)) {
        return known.leaving(
            "What "
                + left.label()
                + " had to say of this copy is gone: --resume would begin from the start.");
      }
      if (!left.isIntoThere(own)) {
        aborted =
            known
                .goneIf(true)
                .leaving(
                    plan.into().label()
                        + " is not there any more, or is another table by now: what this copy had"
                        + " put there is not in it.");
        left.abandon(own);
        return aborted;
      }
      aborted = known.noting(moveSequencesOn(own));
    } catch (Fault e) {
      LOG.debug("nobody can tell whether the journal is there", e);
    }
    return new Aborted(kept, aborted.gone(), aborted.leaves(), aborted.notes(), aborted.failure());
  }

  private Aborted undo(Aborted known) {
    if (plan.oneTransaction()) {
      // The server undoes what the connection has not committed.
      connections.own().close();
      if (journal != null) {
        removeJournal(journal);
      }
      return known;
    }
    if (!plan.staged() && journal == null) {
      return known;
    }
    try (Session own = connections.toUndo()) {
      own.execute(StagingTable.LOCK_TIMEOUT);
      if (plan.staged()) {
        StagingTable.drop(own, plan.into());
      }
      if (journal != null) {
        journal.abandon(own);
      }
      return known.noting(moveSequencesOn(own));
    } catch (Fault e) {
      return known.failing(plan.staged() ? leftBehind(e) : e);
    }
  }

  private Fault leftBehind(Fault why) {
    QualifiedName staging = plan.into();
    return new Fault.External(
        "The staging table " + staging.label() + " is left behind: " + why.getMessage(),
        (journal != null ? "The same command drops it, or drop it yourself" : "Drop it")
            + ": DROP TABLE "
            + staging.sql()
            + ";",
        why);
  }

  /// Its table was made beforehand, and may be in nobody's use.
  private void removeJournal(JournaledLoad empty) {
    try (Session own = connections.toUndo()) {
      empty.abandon(own);
    } catch (Fault e) {
      LOG.debug("the journal stays, without a word of this copy", e);
    }
  }

  /// Rows that a run which fails has committed stay, and must not stand in the way of others.
  private List<String> moveSequencesOn(Session own) {
    if (plan.staged()) {
      return List.of();
    }
    try {
      own.execute("SET lock_timeout = '2s'");
      return new Sequences(own, plan).moveOn((_, _, work) -> work.run());
    } catch (Fault e) {
      LOG.debug("the sequences stand where they were", e);
      return List.of();
    }
  }
}
