package millrace.connectors.postgres.load;

import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Rows wait in a staging table, and are inserted into the target in one transaction, which empties
/// the target first if the mode says so.
///
/// @param triggersDropRows whether the target has triggers that may swallow rows
/// @param deferred what is taken away from the target first and made again last
record InsertLoad(
    Landing landing,
    List<LoadColumn> slots,
    QualifiedName target,
    QualifiedName into,
    boolean triggersDropRows,
    DeferredIndexes deferred,
    List<String> notes)
    implements LoadPlan {

  @Override
  public List<String> placeColumns() {
    return List.of();
  }

  @Override
  public String ddl() {
    return "";
  }

  @Override
  public void make(Session session) {
    StagingTable.create(session, into, target, slots, List.of(), List.of());
  }

  @Override
  public @Nullable MergeCounts add(Ending ending) {
    Session session = ending.session();
    ending.checkStaged().run();
    String columns =
        slots.stream()
            .map(loadColumn -> PostgresSql.name(loadColumn.name()))
            .collect(Collectors.joining(", "));
    if (mode() == Mode.TRUNCATE) {
      session.execute(new PostgresCatalog(session).truncate(target));
    }
    deferred.drop(session);
    session.useUserSettings();
    long taken =
        session.change(
            "INSERT INTO "
                + target.sql()
                + " ("
                + columns
                + ")"
                + LoadColumn.overriding(slots)
                + " SELECT "
                + columns
                + " FROM "
                + into.sql());
    session.useInternalSettings();
    if (triggersDropRows) {
      ending.committed().leaveOutAtEnd(ending.rows() - taken);
    } else {
      LoadFaults.checkTaken(taken, ending.rows(), this);
    }
    if (!deferred.isEmpty()) {
      ending.makeIndexes(() -> deferred.make(session));
    }
    StagingTable.drop(session, into);
    return null;
  }
}
