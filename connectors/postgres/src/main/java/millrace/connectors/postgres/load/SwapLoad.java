package millrace.connectors.postgres.load;

import java.util.List;
import java.util.function.Predicate;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.write.Landing;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Rows go into a new table of another name, which takes its place as the target when all are
/// there.
///
/// @param table the new table's definition, or null if it is the old one's
/// @param old the table that goes, or null if there is none
/// @param options with `freeze`, all of it is one transaction
public record SwapLoad(
    Landing landing,
    List<LoadColumn> slots,
    QualifiedName target,
    QualifiedName into,
    @Nullable NewTable table,
    @Nullable OldTable old,
    LoadOptions options,
    List<String> notes)
    implements LoadPlan {

  @Override
  public boolean frozen() {
    return options.freeze();
  }

  @Override
  public List<String> placeColumns() {
    return List.of();
  }

  @Override
  public String ddl() {
    return table == null ? "" : table.createWithKey(target);
  }

  @Override
  public void make(Session session) {
    if (table != null) {
      session.execute(table.create(into));
    } else if (old != null) {
      session.execute(
          (options.unlogged() ? "CREATE UNLOGGED TABLE " : "CREATE TABLE ")
              + into.sql()
              + " (LIKE "
              + target.sql()
              + " INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)"
              + old.storage(session));
    }
    StagingTable.label(session, into, target);
  }

  /// Keys and indexes come first, outside the transaction that swaps: they take long, and the old
  /// table can be read meanwhile.
  ///
  /// @return what {@link #swap} gives their names
  public List<IndexCopy> makeIndexes(Ending ending) {
    Session session = ending.session();
    if (options.unlogged()) {
      ending.checkStaged().run();
    }
    // Those of a try that was cut off here.
    StagingTable.dropIndexes(session, into);
    if (table != null && !table.key().isEmpty()) {
      ending.makeIndexes(() -> session.execute(table.addKey(into)));
    }
    List<IndexCopy> copies =
        old != null && table == null ? IndexCopy.all(session, old.relation(), into) : List.of();
    if (!copies.isEmpty()) {
      make(copies, ending);
    }
    return copies;
  }

  /// Indexes can be made side by side if others than this transaction know the table.
  private void make(List<IndexCopy> copies, Ending ending) {
    Predicate<IndexCopy> sideBySide =
        copy -> options.deferIndexes() && !oneTransaction() && !copy.locks();
    ending.makeIndexes(
        copies.stream().filter(sideBySide.negate()).map(IndexCopy::work).toList(),
        copies.stream().filter(sideBySide).map(IndexCopy::work).toList());
  }

  /// Takes the target's place, in the transaction that ends the load.
  ///
  /// @param copies what {@link #makeIndexes} has made
  public void swap(Session session, List<IndexCopy> copies) {
    SwapDdl swapDdl = new SwapDdl(List.of(), List.of());
    if (old != null) {
      if (table == null) {
        checkLikeOld(session);
        swapDdl = SwapDdl.of(session, old.relation(), into);
      }
      swapDdl.before().forEach(session::execute);
      session.execute("DROP TABLE " + target.sql());
    } else if (new PostgresCatalog(session).find(target) != null) {
      throw new Fault.User(
          target.label() + " has come into being while rows were loaded for it.",
          "Say what to do with it: --mode append, truncate, replace or merge.");
    }
    StagingTable.unlabel(session, into, table == null ? "" : table.comment());
    session.execute("ALTER TABLE " + into.sql() + " RENAME TO " + PostgresSql.name(target.name()));
    copies.forEach(copy -> session.execute(copy.settle()));
    swapDdl.after().forEach(session::execute);
    if (table != null && !table.key().isEmpty()) {
      renameKey(session);
    }
  }

  /// A column that the old table has got meanwhile would go with it.
  private void checkLikeOld(Session session) {
    session.execute("LOCK TABLE " + target.sql() + " IN ACCESS EXCLUSIVE MODE");
    PostgresCatalog catalog = new PostgresCatalog(session);
    if (!catalog.declarations(target).equals(catalog.declarations(into))) {
      throw new Fault.User(
          "The columns of "
              + target.label()
              + " were changed while rows were loaded to take its place.",
          "Copy again, into the table as it is now.");
    }
  }

  /// Gives the primary key the name that the server would have given it on a table of this name:
  /// cut if it is too long, and numbered if something else has it (`ChooseRelationName` in
  /// src/backend/commands/indexcmds.c).
  private void renameKey(Session session) {
    PostgresCatalog catalog = new PostgresCatalog(session);
    String current = catalog.constraints().keyName(target);
    String wanted = keyName(catalog, "_pkey");
    for (int i = 1; isTaken(catalog, wanted, current); i++) {
      wanted = keyName(catalog, "_pkey" + i);
    }
    if (!current.equals(wanted)) {
      session.execute(
          "ALTER TABLE "
              + target.sql()
              + " RENAME CONSTRAINT "
              + PostgresSql.name(current)
              + " TO "
              + PostgresSql.name(wanted));
    }
  }

  private String keyName(PostgresCatalog catalog, String ending) {
    return StagingName.cut(target.name(), catalog.nameBytesMax() - ending.length()) + ending;
  }

  private boolean isTaken(PostgresCatalog catalog, String wanted, String current) {
    return !wanted.equals(current)
        && catalog.find(new QualifiedName(target.schema(), wanted, true)) != null;
  }
}
