package millrace.connectors.oracle.direct;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import millrace.connectors.oracle.OracleOptions;
import millrace.connectors.oracle.catalog.OracleStorage;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.connectors.sql.types.TypeTable;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.read.SourceDescription.Size;
import oracle.jdbc.internal.OracleConnection;
import org.jspecify.annotations.Nullable;

/// The two ways in which rows are written past the buffer cache into new blocks: the driver's
/// direct path streams (`--method native`), and direct-path inserts (`--method direct`).
///
/// A stream is there at its own commit, and lost if it is closed without one. The driver converts
/// and checks nothing: what is bound is what arrives. So each column is bound as its own type, by
/// values that were checked before.
///
/// @param options what the user says
/// @param types how values are handed over
/// @param names how the database spells names
/// @param inserts how rows are sent if something keeps the table from it
/// @param notStreamed the database's character set if streams send no texts in it; else empty
/// @param announcements what streams are announced by; null before the load begins
/// @param refused why the server has refused direct inserts that nobody has asked for, or null
record DirectPath(
    OracleOptions options,
    TypeTable types,
    Names names,
    SqlInserts inserts,
    String notStreamed,
    @Nullable StreamIntents announcements,
    AtomicReference<@Nullable String> refused)
    implements LoadMethod {

  /// So few rows go by inserts if the user leaves the choice.
  private static final long SMALL_ROWS = 5_000;

  /// So many bytes are taken for a row if nobody knows how many rows there are.
  private static final long ROW_BYTES = 100;

  /// Rows of more bytes are not few; those of a source that is read in one are too many to hold.
  private static final long LARGE_BYTES = 16 << 20;

  /// Whether it is a stream, which ends by itself.
  boolean isStream() {
    return options.method() == OracleOptions.Method.NATIVE;
  }

  /// Whether rows may as well be inserted in the usual way.
  boolean isLeftOpen() {
    return options.method() == OracleOptions.Method.AUTO;
  }

  /// The same, whose streams are announced by those.
  DirectPath announcing(StreamIntents by) {
    return new DirectPath(options, types, names, inserts, notStreamed, by, refused);
  }

  @Override
  public String note() {
    String why = refused.get();
    return !isLeftOpen()
        ? ""
        : why == null
            ? "Rows were inserted into new blocks (--method direct)."
            : inserted("the server refused direct inserts (" + why + ")");
  }

  private static String inserted(String why) {
    return "Rows were inserted (--method normal): " + why + ".";
  }

  @Override
  public RowSink sink(LaneLoad lane) {
    return new DirectPathSink(
        this, Objects.requireNonNull(announcements, "a load that has not begun"), lane);
  }

  /// Opens what takes the rows of one session.
  ///
  /// @param filled the table if it has keys or indexes already; null if it has none
  PreparedStatement open(Connection connection, SqlLoad load, @Nullable TableInfo filled)
      throws SQLException {
    TableName table = load.filled();
    List<String> columns = load.filledColumns();
    String partition = options.partition(names);
    if (!isStream()) {
      String part = partition == null ? "" : " PARTITION (" + names.quoted(partition) + ")";
      String marks = "?" + ", ?".repeat(columns.size() - 1);
      return connection.prepareStatement(
          "INSERT /*+ APPEND_VALUES */ INTO %s%s (%s) VALUES (%s)"
              .formatted(table.sql(names), part, names.quoted(columns), marks));
    }
    Properties how = new Properties();
    how.setProperty("DPPDEF_IN_PARALLEL", String.valueOf(isParallel(filled)));
    if (leavesIndexes(filled)) {
      how.setProperty("DPPDEF_IN_SKIP_INDEX_MAINT", "true");
    }
    OracleConnection driver = connection.unwrap(OracleConnection.class);
    // The server takes names without quotes for names in capitals.
    String schema = names.quoted(table.schema());
    String name = names.quoted(table.name());
    String[] named = columns.stream().map(names::quoted).toArray(String[]::new);
    return stream(
        driver,
        _ ->
            partition == null
                ? driver.prepareDirectPath(schema, name, named, how)
                : driver.prepareDirectPath(schema, name, named, names.quoted(partition), how));
  }

  /// Opens a stream by an interface that Oracle promises to nobody.
  ///
  /// @throws Fault.User if the driver does not have it
  static PreparedStatement stream(Connection connection, SqlSession.Work<PreparedStatement> opening)
      throws SQLException {
    try {
      return opening.with(connection);
    } catch (LinkageError e) {
      throw new Fault.User(
          "The driver, of release %s, does not have the streams that Millrace knows: %s"
              .formatted(ConfirmedReleases.name(ConfirmedReleases.driver()), e.getMessage()),
          "Use --method direct, or the driver that Millrace brings along.",
          e);
    }
  }

  /// Whether streams leave the table's indexes behind.
  private boolean leavesIndexes(@Nullable TableInfo filled) {
    return options.rebuildsIndexes() && filled != null && !indexes(filled).isEmpty();
  }

  /// Whether other lanes may load the table at the same time: they can't if indexes are kept.
  private boolean isParallel(@Nullable TableInfo filled) {
    return filled == null || indexes(filled).isEmpty() || leavesIndexes(filled);
  }

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    if (isLeftOpen() && there != null) {
      Map<String, String> columns =
          there.columns().stream()
              .collect(Collectors.toMap(ColumnInfo::name, ColumnInfo::declared));
      if (!refusal(there, columns).isEmpty()) {
        return inserts.lanes(there);
      }
    }
    if (!isStream()) {
      return new LaneLimit(
          1,
          "a direct insert locks the %s against all others%s"
              .formatted(
                  options.partition().isEmpty() ? "table" : "partition", byPartitions(there)));
    }
    return there == null || isParallel(there)
        ? LaneLimit.NONE
        : new LaneLimit(
            1,
            "a table with indexes takes one direct path stream (%s), unless they are rebuilt at the end (--indexes rebuild)%s"
                .formatted(indexes(there).getFirst(), byPartitions(there)));
  }

  /// How a divided table is written by several sessions all the same.
  private String byPartitions(@Nullable TableInfo there) {
    return options.partition().isEmpty() && there != null && OracleStorage.isDivided(there)
        ? "; a copy for each partition has one of its own (--partition)"
        : "";
  }

  /// Names of what orders or restricts a table's rows by their keys.
  static List<String> indexes(TableInfo table) {
    List<String> indexes = new ArrayList<>();
    if (!table.key().isEmpty()) {
      indexes.add("the primary key");
    }
    table.definition().rules().stream()
        .filter(rule -> rule.startsWith("unique ") || rule.startsWith("index "))
        .forEach(indexes::add);
    return indexes;
  }

  @Override
  public LoadMethod chosen(
      SqlSession session, @Nullable TableInfo filled, Map<String, String> columns, Size size) {
    String refusal = refusal(filled, columns);
    if (isLeftOpen()) {
      String why = refusal.isEmpty() ? unfit(size) : refusal;
      return why.isEmpty() ? this : inserts.because(inserted(why));
    }
    if (refusal.isEmpty()) {
      return this;
    }
    throw new Fault.User(
        "--method %s can't load the table: %s."
            .formatted(isStream() ? "native" : "direct", refusal),
        "Use --method normal, or auto, which picks the way by the table.");
  }

  /// Why so much is not inserted directly, as the end of a sentence; empty if it may be.
  ///
  /// Each transaction of direct inserts begins with new blocks, and holds its rows until it ends.
  static String unfit(Size size) {
    if (!size.cuts() && (size.bytes() < 0 || size.bytes() > LARGE_BYTES)) {
      return "direct inserts hold rows until they are committed, and the source is read in one";
    }
    long rows = size.rows() < 0 && size.bytes() >= 0 ? size.bytes() / ROW_BYTES : size.rows();
    return rows < 0 || rows > SMALL_ROWS || size.bytes() > LARGE_BYTES
        ? ""
        : String.format(Locale.ROOT, "about %,d rows are too few for new blocks", rows);
  }

  /// Why a table can't be loaded so, as the end of a sentence; empty if it can.
  ///
  /// @param filled the table that is there and gets the rows; null if one is made for them
  /// @param columns declarations of the columns that get values, by their names
  private String refusal(@Nullable TableInfo filled, Map<String, String> columns) {
    // Those that nobody has asked for must not fail at a long value.
    String unloaded =
        isStream()
            ? "BOOLEAN|JSON|LONG.*|U?ROWID|TIMESTAMP WITH LOCAL.*|VECTOR"
            : isLeftOpen() ? "N?CLOB|BLOB|JSON|LONG.*|VECTOR" : "";
    for (Map.Entry<String, String> column : columns.entrySet()) {
      String bare = TypeTable.bare(column.getValue());
      if (bare.matches(unloaded)) {
        String why = isStream() ? "which it does not load" : "whose values may be too long for it";
        return "column %s is %s, %s".formatted(column.getKey(), column.getValue(), why);
      }
      if (isStream() && !notStreamed.isEmpty() && bare.matches(".*CHAR.*|N?CLOB")) {
        return "it sends no texts in the database's character set, " + notStreamed;
      }
    }
    return filled == null ? "" : ofTable(filled, columns);
  }

  private String ofTable(TableInfo table, Map<String, String> columns) {
    if (!options.disablesRules()) {
      String unheeded = unheeded(table);
      if (!unheeded.isEmpty()) {
        return unheeded + ", unless they are disabled (--constraints disable)";
      }
    }
    String unfit = OracleStorage.unfit(table.definition().rules());
    if (!unfit.isEmpty()) {
      return "direct path fills no table with " + unfit;
    }
    for (ColumnInfo column : table.columns()) {
      boolean isLeftOut = !columns.containsKey(column.name());
      if (isStream() && isLeftOut && column.hasDefault()) {
        return "the source has nothing for column "
            + column.name()
            + ", and a stream applies neither defaults nor triggers";
      }
    }
    return "";
  }

  private String unheeded(TableInfo table) {
    if (!table.rowRules().onInsert().isEmpty()) {
      String triggers = String.join(", ", table.rowRules().onInsert());
      return "triggers of the table would not run (" + triggers + ")";
    }
    return table.definition().rules().stream()
        .filter(rule -> rule.startsWith("foreign key") || (isStream() && rule.startsWith("check")))
        .findFirst()
        .map(rule -> "the table's " + rule + " would not be checked")
        .orElse("");
  }

  /// What keeps a table in order that is filled itself. Changes nothing.
  ///
  /// @param known how the table was, as the run has said that is gone on with; null if none is
  /// @throws Fault.User if something keeps streams from it
  DirectPathUpkeep upkeep(SqlSession session, TableName table, @Nullable List<String> known) {
    LoadedIndexes indexes = new LoadedIndexes(names, table, options.partition(names));
    if (isStream()) {
      indexes.checkStreams(session);
    }
    return new DirectPathUpkeep(session, names, indexes, options, known);
  }
}
