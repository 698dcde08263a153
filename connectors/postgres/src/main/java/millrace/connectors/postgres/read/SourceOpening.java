package millrace.connectors.postgres.read;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.QueryColumns;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import org.jspecify.annotations.Nullable;

/// Opens tables, views and queries for reading, in a transaction that keeps them as they are.
public final class SourceOpening {

  /// How often a source is opened while others replace what it reads.
  private static final int MOMENTS_MAX = 10;

  private final ConnectionFactory connectionFactory;
  private final Session session;
  private final PostgresCatalog catalog;
  private final Selection selection;

  private final String begin;

  /// @param session is the source's from here on, and closed if it can't be opened
  /// @param snapshot the one that another session has exported and holds
  public SourceOpening(
      ConnectionFactory connectionFactory,
      Session session,
      Selection selection,
      Optional<String> snapshot) {
    this.connectionFactory = connectionFactory;
    this.session = session;
    catalog = new PostgresCatalog(session);
    this.selection = selection;
    begin =
        Session.BEGIN_READING
            + snapshot
                .map(name -> "; SET TRANSACTION SNAPSHOT " + PostgresSql.text(name))
                .orElse("");
  }

  /// A table or view.
  ///
  /// @param only whether rows of tables that inherit from it are left out
  public PostgresSource ofTable(QualifiedName name, boolean only) {
    return atOneMoment(() -> table(name, only));
  }

  /// A query.
  public PostgresSource ofQuery(String query) {
    return atOneMoment(() -> query(query));
  }

  private @Nullable PostgresSource table(QualifiedName name, boolean only) {
    catalog.checkName(name);
    Relation relation = catalog.find(name);
    if (relation == null) {
      throw catalog.noSuchTable(name, connectionFactory.address());
    }
    if (!"rpvmf".contains(relation.kind())) {
      throw new Fault.User(
          relation.name().label() + " is a " + relation.kindLabel() + ", and has no rows.",
          "Name a table, a view, or a query.");
    }
    // The lock keeps the table's blocks where they are until the transaction ends.
    session.execute("SELECT FROM " + relation.name().sql() + " LIMIT 0");
    if (!relation.equals(catalog.find(name))) {
      return null;
    }
    boolean isAlone = only && relation.kind().equals("r");
    return open(
        label(relation.name().label()),
        isAlone ? relation.alone() : relation,
        (isAlone ? "ONLY " : "") + relation.name().sql(),
        catalog.columns(relation));
  }

  private PostgresSource query(String query) {
    return open(
        label("query"),
        null,
        "(" + PostgresSql.embedded(query) + ") AS q",
        QueryColumns.of(session, catalog, query));
  }

  private PostgresSource open(
      String label, @Nullable Relation relation, String from, List<TableColumn> all) {
    List<TableColumn> columns = select(label, all);
    List<PostgresCatalog.Leaf> leaves = relation == null ? List.of() : catalog.leaves(relation);
    String oneLaneWhy =
        relation == null ? "a query has no blocks to divide" : oneLaneWhy(relation, leaves);
    Scan scan = new Scan(label, from, relation, columns, leaves, selection, oneLaneWhy);
    checkCondition(scan);
    connectionFactory.need(session, ConnectionFactory.CONNECTIONS_MIN);
    connectionFactory.reads(session);
    return new PostgresSource(connectionFactory, session, scan, label(from));
  }

  /// Opens it in a transaction whose snapshot is not older than its locks: if it had to wait for
  /// somebody who emptied a table, wrote it anew or put another in its place, the snapshot would
  /// show neither the rows from before nor those from after.
  ///
  /// @param opening opens it in the session's transaction; null if it has found the same
  private PostgresSource atOneMoment(Supplier<@Nullable PostgresSource> opening) {
    try {
      for (int tries = 1; tries <= MOMENTS_MAX; tries++) {
        begin();
        PostgresSource source = opening.get();
        if (source != null && !catalog.isBehindLocks()) {
          return source;
        }
        session.execute("ROLLBACK");
      }
      throw new Fault.Transient(
          "What is to be read of "
              + connectionFactory.address().database()
              + " at "
              + connectionFactory.address().server()
              + " is emptied or replaced by others again and again.",
          "It may work when tried again.",
          0,
          null);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void begin() {
    try {
      session.execute(begin);
    } catch (Fault e) {
      throw PostgresFaults.ofSharing(e);
    }
  }

  private String label(String what) {
    return "postgresql://"
        + connectionFactory.address().server()
        + "/"
        + connectionFactory.address().database()
        + " "
        + what;
  }

  private List<TableColumn> select(String label, List<TableColumn> all) {
    if (all.isEmpty()) {
      throw new Fault.User(label + " has no columns.", "");
    }
    List<String> known = all.stream().map(TableColumn::name).toList();
    return Selection.positions(label, selection.columns(), known).stream().map(all::get).toList();
  }

  /// Why the relation must be read by one lane; empty if it need not be.
  private String oneLaneWhy(Relation of, List<PostgresCatalog.Leaf> leaves) {
    if (of.kind().equals("v")) {
      return "a view has no blocks to divide";
    }
    if (selection.limit() != Long.MAX_VALUE) {
      return "a limit counts over all rows";
    }
    if (!selection.oneQuery().isEmpty()) {
      return selection.oneQuery();
    }
    boolean readsChildren = leaves.stream().anyMatch(leaf -> !leaf.name().equals(of.name()));
    if (readsChildren
        && (of.rowSecurity() || leaves.stream().anyMatch(PostgresCatalog.Leaf::rowSecurity))) {
      return "row security applies to the table as a whole";
    }
    if (!leaves.stream().allMatch(PostgresCatalog.Leaf::readable)) {
      return readsChildren
          ? "the user may read the table, not its partitions by themselves"
          : "the user may read columns of the table, not where its rows lie";
    }
    return leaves.size() == 1 && leaves.getFirst().blocks() < 0
        ? "a " + of.kindLabel() + " has no blocks to divide"
        : "";
  }

  /// Lets the server say what is wrong with the condition before the first row moves.
  private void checkCondition(Scan scan) {
    String where = scan.where();
    if (where == null) {
      return;
    }
    catalog.checkHeld("The condition", where, "Write it with other characters.");
    String alone =
        "SELECT FROM " + scan.from() + " WHERE " + PostgresSql.embedded(where) + "LIMIT 0";
    try {
      session.asUser(() -> {
        session.execute("SELECT FROM " + scan.from() + scan.condition("") + " LIMIT 0");
        // So that it does not end the parentheses that it stands in otherwise.
        session.execute(alone);
      });
    } catch (Fault.User | Fault.Data e) {
      throw new Fault.User(
          "The condition is refused: " + e.getMessage() + " (" + where + ")",
          "Write what may stand behind WHERE in PostgreSQL.",
          e);
    }
  }
}
