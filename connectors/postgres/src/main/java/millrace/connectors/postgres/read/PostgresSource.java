package millrace.connectors.postgres.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.PostgresCounters;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.QueryColumns;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.catalog.TableName;
import millrace.connectors.postgres.codec.BinaryCodec;
import millrace.connectors.postgres.codec.Money;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.codec.RowSum;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.Blockers;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Counters;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A table, view or query. All lanes read one snapshot, which a transaction of its own connection
/// holds from the moment that the source is opened until all is read.
///
/// A table is cut into ranges of blocks, its partitions one after the other; a row's place (`ctid`)
/// can't change under a snapshot, so that every row is in one range.
public final class PostgresSource implements Source {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresSource.class);

  /// From here on the server finds a range of blocks without a look at the others.
  private static final int RANGE_SCAN_SINCE = 140_000;

  /// How often a source is opened while others replace what it reads.
  private static final int MOMENTS_MAX = 10;

  static final String BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

  /// What can be read piece by piece: the relation's own blocks, or all of it at once.
  private record Part(String from, long blocks) {}

  private final ConnectionFactory connectionFactory;
  private final Session session;
  private final Blockers blockers;
  private final Catalog catalog;
  private final Selection selection;
  private final String label;
  private final String origin;
  private final String from;
  private final @Nullable Relation relation;
  private final List<TableColumn> columns;
  private final List<Catalog.Leaf> leaves;
  private final List<Part> parts = new ArrayList<>();
  private final Map<String, Part> partOfResource = new HashMap<>();
  private final String oneLaneWhy;
  private boolean addsUp;
  private @Nullable String snapshot;

  private PostgresSource(
      ConnectionFactory connectionFactory,
      Session session,
      Selection selection,
      String label,
      @Nullable Relation relation,
      String from,
      List<TableColumn> all) {
    this.connectionFactory = connectionFactory;
    this.session = session;
    blockers = new Blockers(connectionFactory);
    this.catalog = new Catalog(session);
    this.selection = selection;
    this.label = label;
    origin = label(connectionFactory, from);
    this.from = from;
    this.relation = relation;
    columns = select(all);
    leaves = relation == null ? List.of() : catalog.leaves(relation);
    oneLaneWhy = relation == null ? "a query has no blocks to divide" : oneLaneWhy(relation);
    if (oneLaneWhy.isEmpty()) {
      leaves.forEach(leaf -> parts.add(new Part("ONLY " + leaf.name().sql(), leaf.blocks())));
    } else {
      parts.add(new Part(from, -1));
    }
    checkCondition(from);
    connectionFactory.need(session, ConnectionFactory.CONNECTIONS_MIN);
    connectionFactory.reads(session);
  }

  /// A table or view.
  ///
  /// @param session is the source's from here on, and closed where it can't be opened
  public static PostgresSource ofTable(
      ConnectionFactory connectionFactory, Session session, TableName name, Selection selection) {
    return atOneMoment(
        connectionFactory, session, () -> table(connectionFactory, session, name, selection));
  }

  private static @Nullable PostgresSource table(
      ConnectionFactory connectionFactory, Session session, TableName name, Selection selection) {
    Catalog catalog = new Catalog(session);
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
    if (!relation.equals(catalog.find(name)) || catalog.isBehindLocks()) {
      return null;
    }
    return new PostgresSource(
        connectionFactory,
        session,
        selection,
        label(connectionFactory, relation.name().label()),
        relation,
        relation.name().sql(),
        catalog.columns(relation));
  }

  /// A query.
  ///
  /// @param session as for {@link #ofTable}
  public static PostgresSource ofQuery(
      ConnectionFactory connectionFactory, Session session, String query, Selection selection) {
    return atOneMoment(
        connectionFactory,
        session,
        () ->
            new PostgresSource(
                connectionFactory,
                session,
                selection,
                label(connectionFactory, "query"),
                null,
                "(" + PostgresSql.embedded(query) + ") AS q",
                QueryColumns.of(session, new Catalog(session), query)));
  }

  /// Opens it in a transaction whose snapshot is not older than its locks: where it had to wait for
  /// somebody who emptied a table, wrote it anew or put another in its place, the snapshot would
  /// show neither the rows from before nor those from after.
  ///
  /// @param opening opens it in the session's transaction; null where it has found the same
  private static PostgresSource atOneMoment(
      ConnectionFactory connectionFactory,
      Session session,
      Supplier<@Nullable PostgresSource> opening) {
    try {
      for (int tries = 1; tries <= MOMENTS_MAX; tries++) {
        session.execute(BEGIN);
        PostgresSource source = opening.get();
        if (source != null && !source.catalog.isBehindLocks()) {
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

  private static String label(ConnectionFactory connectionFactory, String what) {
    return "postgresql://"
        + connectionFactory.address().server()
        + "/"
        + connectionFactory.address().database()
        + " "
        + what;
  }

  private List<TableColumn> select(List<TableColumn> all) {
    if (all.isEmpty()) {
      throw new Fault.User(label + " has no columns.", "");
    }
    if (selection.columns().isEmpty()) {
      return all;
    }
    List<String> known = all.stream().map(TableColumn::name).toList();
    List<TableColumn> selected = new ArrayList<>();
    for (String name : selection.columns()) {
      int index = known.indexOf(name);
      if (index < 0) {
        List<String> similar = known.stream().filter(name::equalsIgnoreCase).toList();
        index = similar.size() == 1 ? known.indexOf(similar.getFirst()) : -1;
      }
      if (index < 0) {
        throw new Fault.User(
            label + " has no column " + name + ".",
            (Nearest.hint(name, known) + " It has " + Catalog.list(known) + ".").strip());
      }
      selected.add(all.get(index));
    }
    return selected;
  }

  /// Why the relation must be read by one lane; empty where it need not be.
  private String oneLaneWhy(Relation of) {
    if (of.kind().equals("v")) {
      return "a view has no blocks to divide";
    }
    if (selection.limit() != Long.MAX_VALUE) {
      return "a limit counts over all rows";
    }
    boolean readsChildren = leaves.stream().anyMatch(leaf -> !leaf.name().equals(of.name()));
    if (readsChildren
        && (of.rowSecurity() || leaves.stream().anyMatch(Catalog.Leaf::rowSecurity))) {
      return "row security applies to the table as a whole";
    }
    if (!leaves.stream().allMatch(Catalog.Leaf::readable)) {
      return readsChildren
          ? "the user may read the table, not its partitions by themselves"
          : "the user may read columns of the table, not where its rows lie";
    }
    return leaves.size() == 1 && leaves.getFirst().blocks() < 0
        ? "a " + of.kindLabel() + " has no blocks to divide"
        : "";
  }

  /// Lets the server say what is wrong with the condition before the first row moves.
  private void checkCondition(String from) {
    if (selection.where() == null) {
      return;
    }
    catalog.checkHeld("The condition", selection.where(), "Write it with other characters.");
    String alone =
        "SELECT FROM " + from + " WHERE " + PostgresSql.embedded(selection.where()) + "LIMIT 0";
    try {
      session.asUser(() -> {
        session.execute("SELECT FROM " + from + condition("") + " LIMIT 0");
        // So that it does not end the parentheses that it stands in otherwise.
        session.execute(alone);
      });
    } catch (Fault.User | Fault.Data e) {
      throw new Fault.User(
          "The condition is refused: " + e.getMessage() + " (" + selection.where() + ")",
          "Write what may stand behind WHERE in PostgreSQL.",
          e);
    }
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    boolean severalLanes = oneLaneWhy.isEmpty();
    List<Column> described = columns.stream().map(TableColumn::column).toList();
    return SourceDescription.of(label, new Schema(described, key()))
        .pushingDown()
        .withForms(forms())
        .withSize(
            rowsEstimate(),
            selection.where() == null ? bytesEstimate() : -1,
            severalLanes && session.version() >= RANGE_SCAN_SINCE)
        .withLanes(LaneLimit.oneIf(oneLaneWhy))
        .withReading("", remarks());
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(catalog.missingFromStandby());
    remarks.addAll(relation == null ? catalog.hiddenRows(from) : catalog.hiddenRows(relation));
    return remarks;
  }

  private List<String> key() {
    if (relation == null) {
      return List.of();
    }
    List<String> key = catalog.key(relation);
    List<String> names = columns.stream().map(TableColumn::name).toList();
    return names.containsAll(key) ? key : List.of();
  }

  private List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    String binary = PostgresTypes.wireSignature(types());
    if (binary != null) {
      forms.add(new Form(PostgresForms.BINARY, binary));
    }
    forms.add(new Form(PostgresForms.TEXT, PostgresForms.textSignature(types())));
    return forms;
  }

  private List<PostgresType> types() {
    return columns.stream().map(TableColumn::type).toList();
  }

  private long rowsEstimate() {
    if (relation == null || selection.where() != null || leaves.isEmpty()) {
      return -1;
    }
    double rows = 0;
    for (Catalog.Leaf leaf : leaves) {
      // Older servers say 0 where nobody has counted yet.
      if (leaf.rows() < 0 || leaf.blocks() < 0 || (leaf.rows() == 0 && leaf.blocks() > 0)) {
        return -1;
      }
      rows += leaf.rows();
    }
    return Math.round(rows);
  }

  private long bytesEstimate() {
    long bytes = leaves.stream().mapToLong(Catalog.Leaf::bytes).sum();
    return relation == null || (bytes == 0 && !oneLaneWhy.isEmpty()) ? -1 : bytes;
  }

  @Override
  public double cost(Form form) {
    if (forms().contains(form)) {
      return form.name().equals(PostgresForms.BINARY)
          ? PostgresForms.READ_BINARY
          : PostgresForms.READ_TEXT;
    }
    if (form.equals(Form.COLUMNS)) {
      return PostgresForms.READ_COLUMNS;
    }
    return PostgresForms.csvOptions(form) == null ? -1 : PostgresForms.READ_CSV;
  }

  /// Whatever the URL leaves to the environment and the search path.
  @Override
  public String endpointIdentity() {
    Address address = connectionFactory.address();
    return PostgresConnector.NAME
        + " "
        + address.user()
        + " "
        + catalog.cluster().orElse(address.server())
        + " "
        + address.database()
        + " "
        + from;
  }

  @Override
  public List<String> origins() {
    return List.of(origin);
  }

  /// The state that was read is gone with its connections: whether it is still the same can only be
  /// seen by reading it again. Rows come in any order, since the server may begin a scan where
  /// another is.
  @Override
  public boolean checksums() {
    addsUp = true;
    return true;
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    Iterator<Split> splits = cut(splitBytes, lanes).iterator();
    return () -> splits.hasNext() ? splits.next() : null;
  }

  private List<Split> cut(long splitBytes, int lanes) {
    long blocksEach = Math.max(1, splitBytes / catalog.blockBytes());
    List<Split> splits = new ArrayList<>();
    for (Part part : parts) {
      String resource = part.from.startsWith("ONLY ") ? part.from.substring(5) : label;
      partOfResource.put(resource, part);
      long step = blocksEach;
      if (part.blocks < 0) {
        step = Long.MAX_VALUE;
      } else if (session.version() < RANGE_SCAN_SINCE) {
        // Every range costs a look at the whole table: no more ranges than lanes.
        step = Math.max(blocksEach, Math.ceilDiv(part.blocks, lanes));
      }
      addRanges(splits, resource, part.blocks, step);
    }
    return splits;
  }

  /// The last range has no end: it takes whatever lies behind the blocks counted.
  private static void addRanges(List<Split> splits, String resource, long blocks, long step) {
    long from = 0;
    do {
      boolean last = blocks - from <= step;
      long to = last ? Long.MAX_VALUE : from + step;
      splits.add(new Split(splits.size(), resource, from, to, from == 0 ? 1 : 0, 0));
      from = to;
    } while (from != Long.MAX_VALUE);
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    Session own = connectionFactory.connect();
    try {
      join(own);
      return new PostgresReader(this, own, form, context, addsUp ? new RowSum() : null);
    } catch (RuntimeException e) {
      own.close();
      throw e;
    }
  }

  /// Makes a connection see what all others see.
  private void join(Session own) {
    own.execute(BEGIN);
    try {
      own.execute("SET TRANSACTION SNAPSHOT " + PostgresSql.text(snapshot()));
    } catch (Fault e) {
      checkKept(e);
      throw e;
    }
    if (readsByOurWords()) {
      // Values that are names, of type regclass and the like, come with their schema.
      own.execute("SET LOCAL search_path = pg_catalog");
    } else {
      own.speakAsUser();
    }
  }

  /// Whether no words of the user's, nor functions that he may have written, have a part in what is
  /// read.
  private boolean readsByOurWords() {
    return relation != null
        && !relation.kind().equals("v")
        && !relation.rowSecurity()
        && leaves.stream().noneMatch(Catalog.Leaf::rowSecurity)
        && selection.where() == null;
  }

  /// Sees to it that the connection that holds the snapshot and the first locks has kept both until
  /// now. A snapshot alone keeps the rows, but nobody from emptying or dropping a table that its
  /// reader has not locked yet. From the readers' threads.
  ///
  /// @param failed what the loss has brought about; null where nothing has failed
  /// @throws Fault.Transient where that connection is gone: what is read would be of another moment
  void checkKept(@Nullable Fault failed) {
    Fault lost = session.whyLost();
    if (lost == null) {
      return;
    }
    throw Fault.Transient.endingRun(
        "The connection to "
            + connectionFactory.address().server()
            + " that kept "
            + label
            + " as it was when the copy began is lost ("
            + lost.clause()
            + "): a new one would see a later moment.",
        lost.advice(),
        failed == null ? lost : failed);
  }

  /// Lanes open their readers at the same time.
  private synchronized String snapshot() {
    if (snapshot == null) {
      snapshot = session.one("SELECT pg_catalog.pg_export_snapshot()", row -> row.getString(1));
    }
    return snapshot;
  }

  /// The columns that readers give.
  List<TableColumn> columns() {
    return columns;
  }

  Schema schema() {
    return Schema.of(columns.stream().map(TableColumn::column).toList());
  }

  /// The statement that reads a split in a form. From the readers' threads.
  String copy(Split split, Form form) {
    return "COPY (" + select(split, form) + ") TO STDOUT (" + options(form) + ")";
  }

  private static String options(Form form) {
    return switch (form.name()) {
      case PostgresForms.TEXT -> "FORMAT text";
      case PostgresForms.CSV -> String.valueOf(PostgresForms.csvOptions(form));
      default -> "FORMAT binary";
    };
  }

  private String select(Split split, Form form) {
    Part part = partOfResource.get(split.resource());
    if (part == null) {
      throw new Fault.Bug("a split of something else: " + split, null);
    }
    String wanted =
        columns.stream().map(column -> expression(column, form)).collect(Collectors.joining(", "));
    String sql = "SELECT " + wanted + " FROM " + part.from + condition(range(split));
    return selection.limit() == Long.MAX_VALUE ? sql : sql + " LIMIT " + selection.limit();
  }

  /// Columns of types whose binary form we do not know come as text; in CSV, booleans are spelled
  /// in full as everywhere outside PostgreSQL.
  private static String expression(TableColumn column, Form form) {
    String name = PostgresSql.name(column.name());
    String wire = column.type().wire();
    boolean cast =
        switch (form.name()) {
          case PostgresForms.BINARY, PostgresForms.TEXT -> false;
          case PostgresForms.CSV ->
              column.type().binaryCodec() == BinaryCodec.BOOL || Money.isLocal(wire);
          default -> column.type().binaryCodec() == BinaryCodec.NONE;
        };
    if (!cast) {
      return name;
    }
    // The cast of this type alone says more than its output does: it adds /32 or /128 to hosts.
    return wire.equals("inet")
        ? "pg_catalog.textin(pg_catalog.inet_out(" + name + "))"
        : Money.asNumber(name, wire) + "::pg_catalog.text";
  }

  private static String range(Split split) {
    List<String> bounds = new ArrayList<>();
    if (split.from() > 0) {
      bounds.add("ctid >= '(" + split.from() + ",0)'::pg_catalog.tid");
    }
    if (split.to() != Long.MAX_VALUE) {
      bounds.add("ctid < '(" + split.to() + ",0)'::pg_catalog.tid");
    }
    return String.join(" AND ", bounds);
  }

  private String condition(String range) {
    String where = selection.where();
    if (where == null) {
      return range.isEmpty() ? "" : " WHERE " + range;
    }
    String wanted = "(" + PostgresSql.embedded(where) + ")";
    return " WHERE " + (range.isEmpty() ? wanted : range + " AND " + wanted);
  }

  /// A lane that begins has to wait behind who waits for a lock of the whole table, as long as the
  /// others keep it as it is.
  @Override
  public @Nullable String waitsFor() {
    return blockers.of(connectionFactory.backends());
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void allRead() {
    connectionFactory.readsNoMore(session);
    try {
      session.execute("ROLLBACK");
    } catch (Fault e) {
      LOG.debug("the connection that kept the snapshot is lost, and the snapshot with it", e);
    }
  }

  @Override
  public Counters counters() {
    return new PostgresCounters(connectionFactory, session);
  }

  @Override
  public void close() {
    blockers.close();
    session.close();
  }
}
