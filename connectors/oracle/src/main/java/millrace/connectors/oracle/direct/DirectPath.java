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
import millrace.connectors.oracle.OracleOptions;
import millrace.connectors.oracle.catalog.OracleStorage;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TypeTable;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.connectors.sql.write.SqlLoad;
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
record DirectPath(
    OracleOptions options,
    TypeTable types,
    Names names,
    SqlInserts inserts,
    String notStreamed,
    @Nullable Announcements announcements)
    implements LoadMethod {

  /// So few rows go by inserts if the user leaves the choice.
  private static final long SMALL_ROWS = 5_000;

  /// So many bytes do if nobody knows how many rows they are.
  private static final long SMALL_BYTES = 512 << 10;

  /// Rows of more bytes are streamed, however few they are.
  private static final long LARGE_BYTES = 16 << 20;

  /// Whether it is a stream, which ends by itself.
  boolean isStream() {
    return options.method() != OracleOptions.Method.DIRECT;
  }

  /// The same, whose streams are announced by those.
  DirectPath announcing(Announcements by) {
    return new DirectPath(options, types, names, inserts, notStreamed, by);
  }

  @Override
  public String note() {
    return options.method() == OracleOptions.Method.AUTO
        ? "Rows were loaded by direct path streams: nothing keeps the table from it, and they are"
            + " not few."
        : "";
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
      String marks = "?" + ", ?".repeat(columns.size() - 1);
      return connection.prepareStatement(
          "INSERT /*+ APPEND_VALUES */ INTO "
              + table.sql(names)
              + (partition == null ? "" : " PARTITION (" + names.quoted(partition) + ")")
              + " ("
              + names.quoted(columns)
              + ") VALUES ("
              + marks
              + ")");
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
    return partition == null
        ? driver.prepareDirectPath(schema, name, named, how)
        : driver.prepareDirectPath(schema, name, named, names.quoted(partition), how);
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
    if (!isStream()) {
      return new LaneLimit(
          1,
          "a direct insert locks the "
              + (options.partition().isEmpty() ? "table" : "partition")
              + " against all others"
              + byPartitions(there));
    }
    return there == null || isParallel(there)
        ? LaneLimit.NONE
        : new LaneLimit(
            1,
            "a table with indexes takes one direct path stream ("
                + indexes(there).getFirst()
                + "), unless they are rebuilt at the end (--indexes rebuild)"
                + byPartitions(there));
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
    if (options.method() == OracleOptions.Method.AUTO) {
      String why = refusal.isEmpty() ? tooSmall(size) : refusal;
      return why.isEmpty()
          ? this
          : inserts.because("Rows were inserted (--method normal): " + why + ".");
    }
    if (refusal.isEmpty()) {
      return this;
    }
    throw new Fault.User(
        "--method "
            + (isStream() ? "native" : "direct")
            + " can't load the table: "
            + refusal
            + ".",
        "Use --method normal, or auto, which picks the way by the table.");
  }

  /// Why a stream is not worth its calls, as the end of a sentence; empty if it may be.
  ///
  /// A stream and an insert both send some 1,000 rows a call. A stream takes twelve calls more, for
  /// the table's state and its own begin and end, and begins with new blocks.
  static String tooSmall(Size size) {
    if (size.rows() < 0) {
      return size.bytes() < 0 || size.bytes() > SMALL_BYTES ? "" : small("%,d bytes", size.bytes());
    }
    return size.rows() > SMALL_ROWS || size.bytes() > LARGE_BYTES
        ? ""
        : small("about %,d rows", size.rows());
  }

  private static String small(String much, long number) {
    return String.format(
        Locale.ROOT, "for " + much + " a stream takes more calls than inserts do", number);
  }

  /// Why a table can't be loaded so, as the end of a sentence; empty if it can.
  ///
  /// @param filled the table that is there and gets the rows; null if one is made for them
  /// @param columns declarations of the columns that get values, by their names
  private String refusal(@Nullable TableInfo filled, Map<String, String> columns) {
    if (isStream()) {
      for (Map.Entry<String, String> column : columns.entrySet()) {
        String bare = TypeTable.bare(column.getValue());
        if (bare.matches("BOOLEAN|JSON|LONG.*|U?ROWID|TIMESTAMP WITH LOCAL.*|VECTOR")) {
          return "column "
              + column.getKey()
              + " is "
              + column.getValue()
              + ", which it does not load";
        }
        if (!notStreamed.isEmpty() && bare.matches(".*CHAR.*|N?CLOB")) {
          return "it sends no texts in the database's character set, " + notStreamed;
        }
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
      return "triggers of the table would not run ("
          + String.join(", ", table.rowRules().onInsert())
          + ")";
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
