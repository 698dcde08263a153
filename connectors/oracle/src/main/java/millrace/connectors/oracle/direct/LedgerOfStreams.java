package millrace.connectors.oracle.direct;

import java.util.List;
import millrace.connectors.oracle.OracleOptions;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.write.SqlJournal;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import org.jspecify.annotations.Nullable;

/// A ledger that counts announced streams as taken if their rows are there. On the target's thread.
///
/// @param method how rows are sent
record LedgerOfStreams(
    SqlDatabase database, SqlJournal ledger, StreamsInDoubt streams, OracleOptions.Method method)
    implements Ledger {

  @Override
  public List<Entry> read(String job) {
    List<Entry> entries = ledger.read(job);
    if (entries.isEmpty()) {
      return entries;
    }
    try (SqlSession by = SqlSession.open(database, false)) {
      return streams.settled(by, entries);
    }
  }

  @Override
  public Guarantees guarantees() {
    boolean isFenced = whyOneProcess().isEmpty();
    return isFenced ? ledger.guarantees() : ledger.guarantees().with(Attempts.ONE_PROCESS);
  }

  @Override
  public Fault.@Nullable User refusalToJoin() {
    String why = whyOneProcess();
    return why.isEmpty()
        ? ledger.refusalToJoin()
        : Ledger.ofOneProcess(
            name(), why, "Use --method normal, or copy on one machine with more lanes.");
  }

  private String whyOneProcess() {
    return switch (method) {
      case NATIVE ->
          "what --method native has sent shows only later, whoever owns its split by then";
      case DIRECT -> "--method direct locks the table against all others";
      case NORMAL, AUTO -> "";
    };
  }

  @Override
  public List<String> jobs() {
    return ledger.jobs();
  }

  @Override
  public void finish(JournaledRun run) {
    ledger.finish(run);
  }

  @Override
  public void forget(RunRecord run) {
    ledger.forget(run);
  }

  @Override
  public String name() {
    return ledger.name();
  }

  @Override
  public @Nullable String tableId(String staging) {
    return ledger.tableId(staging);
  }

  @Override
  public boolean isEmptied(String staging) {
    return ledger.isEmptied(staging);
  }

  @Override
  public boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
    return ledger.hasAppeared(begun, sealing);
  }
}
