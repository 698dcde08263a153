package millrace.connectors.duckdb.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.io.FolderValues;

/// What rows are selected from: a table, a query, Parquet files.
///
/// The source's thread finds one; its methods ask the database at most while splits are made.
public sealed interface QuerySource {

  /// Its columns and key.
  TableInfo found();

  /// The relation as it stands after FROM, whole.
  String from();

  /// The name under which {@link #from} has a column's values.
  default String column(String name) {
    return DuckDbSql.name(name);
  }

  /// The columns that hold times as text since only that has all of their digits.
  default Set<String> times() {
    return Set.of();
  }

  /// The part of it that a split is, as FROM and a condition on its rows that may be empty.
  RowSelection part(String resource, long from, long to);

  /// Why it can't be read in parallel; empty if it can.
  String whyOneReader();

  /// How many rows it has, or -1 if only reading it would tell.
  long rows(SqlSession session);

  /// Its pieces, each of about that many rows.
  List<Piece> pieces(SqlSession session, long rowsEach);

  /// A part of the rows in SQL.
  ///
  /// @param from what stands after FROM
  /// @param condition what its rows fulfil, or empty
  record RowSelection(String from, String condition) {}

  /// A range of rows.
  ///
  /// @param resource the table or file
  /// @param from first row, from 0
  /// @param to row after the last, or {@link Long#MAX_VALUE}
  record Piece(String resource, long from, long to) {}

  /// A table, in ranges of rowid, which DuckDB finds without a scan.
  ///
  /// @param name the table
  record Table(TableName name, TableInfo found) implements QuerySource {

    /// DuckDB keeps rows in groups of that many, and reads a group at a time.
    private static final long GROUP_ROWS = 122_880;

    @Override
    public String from() {
      return DuckDbSql.name(name);
    }

    @Override
    public RowSelection part(String resource, long from, long to) {
      if (!whyOneReader().isEmpty()) {
        return new RowSelection(from(), "");
      }
      String upTo = to == Long.MAX_VALUE ? "" : " AND rowid < " + to;
      return new RowSelection(from(), "rowid >= " + from + upTo);
    }

    @Override
    public String whyOneReader() {
      boolean hidden = found.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase("rowid"));
      return found.kind() == TableInfo.Kind.VIEW
          ? "a view is read by one query"
          : hidden ? "a column named rowid hides DuckDB's own" : "";
    }

    @Override
    public long rows(SqlSession session) {
      return found.kind() == TableInfo.Kind.VIEW
          ? -1
          : DuckDbCatalog.number(session, "SELECT count(*) FROM " + from());
    }

    @Override
    public List<Piece> pieces(SqlSession session, long rowsEach) {
      long last = DuckDbCatalog.number(session, "SELECT max(rowid) FROM " + from());
      long step =
          rowsEach < GROUP_ROWS ? rowsEach : Math.ceilDiv(rowsEach, GROUP_ROWS) * GROUP_ROWS;
      List<Piece> pieces = new ArrayList<>();
      for (long from = 0; from <= last; from += step) {
        boolean isLast = from + step > last;
        pieces.add(
            new Piece(DuckDbSql.identity(name), from, isLast ? Long.MAX_VALUE : from + step));
      }
      return pieces;
    }
  }

  /// A query of the user's.
  record Query(String sql, TableInfo found) implements QuerySource {

    @Override
    public String from() {
      return "(" + sql + "\n) AS query";
    }

    @Override
    public RowSelection part(String resource, long from, long to) {
      return new RowSelection(from(), "");
    }

    @Override
    public String whyOneReader() {
      return "a query is read as one";
    }

    @Override
    public long rows(SqlSession session) {
      return -1;
    }

    @Override
    public List<Piece> pieces(SqlSession session, long rowsEach) {
      return List.of(new Piece("query", 0, Long.MAX_VALUE));
    }
  }

  /// Parquet files with the same columns, in ranges of row groups.
  ///
  /// @param paths where they are
  /// @param files the same as patterns that fit each alone
  /// @param folders what stands in the names of their folders, if columns are made of it
  /// @param times the columns of type INT96, a day and a number of nanoseconds: DuckDB cuts it to
  ///   microseconds, and as TIMESTAMP_NS it has no days after 2262
  record Parquet(
      List<String> paths,
      List<String> files,
      FolderValues folders,
      TableInfo found,
      Set<String> times)
      implements QuerySource {

    private static final String AS_TEXT = " as text of INT96";

    /// Besides the columns for conditions to name, in microseconds, those with all digits.
    private String exact(List<String> of, String options) {
      if (times.isEmpty()) {
        return read(of, options, hive());
      }
      List<String> micros = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      for (String time : times) {
        String name = DuckDbSql.name(time);
        micros.add("%1$s.date + CAST(%1$s.time AS TIME) AS %1$s".formatted(name));
        texts.add(
            "CAST(%1$s.date AS VARCHAR) || ' ' || CAST(%1$s.time AS VARCHAR) AS %2$s"
                .formatted(name, column(time)));
      }
      return "(SELECT * REPLACE (%s), %s FROM %s)"
          .formatted(
              String.join(", ", micros),
              String.join(", ", texts),
              read(of, options + ", int96_as = 'struct'", hive()));
    }

    /// How folders are read: as columns of the types that all of them have.
    private String hive() {
      return folders.columns().isEmpty()
          ? "hive_partitioning = false"
          : "hive_partitioning = true, hive_types = {"
              + folders.columns().stream()
                  .map(column -> Names.text(column.name()) + ": " + DuckDbTypes.declaration(column))
                  .collect(Collectors.joining(", "))
              + "}";
    }

    @Override
    public String column(String name) {
      return DuckDbSql.name(times.contains(name) ? name + AS_TEXT : name);
    }

    /// Files as SQL reads them: their own columns, none made from the names of folders.
    ///
    /// @param options further ones, each after a comma
    public static String read(List<String> files, String options) {
      return read(files, options, "hive_partitioning = false");
    }

    private static String read(List<String> files, String options, String hive) {
      return files.stream()
          .map(Names::text)
          .collect(Collectors.joining(", ", "read_parquet([", "], " + hive + options + ")"));
    }

    @Override
    public String from() {
      return exact(files, "");
    }

    @Override
    public RowSelection part(String resource, long from, long to) {
      if (!whyOneReader().isEmpty()) {
        return new RowSelection(from(), "");
      }
      String upTo = to == Long.MAX_VALUE ? "" : " AND file_row_number < " + to;
      return new RowSelection(
          exact(List.of(resource), ", file_row_number = true"),
          "file_row_number >= " + from + upTo);
    }

    @Override
    public String whyOneReader() {
      return found.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase("file_row_number"))
          ? "a column named file_row_number hides DuckDB's own"
          : "";
    }

    @Override
    public long rows(SqlSession session) {
      return DuckDbCatalog.number(session, "SELECT count(*) FROM " + from());
    }

    @Override
    public List<Piece> pieces(SqlSession session, long rowsEach) {
      return files.stream().flatMap(file -> pieces(session, file, rowsEach).stream()).toList();
    }

    private static List<Piece> pieces(SqlSession session, String file, long rowsEach) {
      List<Long> groups =
          session.query(
              "SELECT row_group_num_rows FROM parquet_metadata("
                  + Names.text(file)
                  + ") WHERE column_id = 0 ORDER BY row_group_id",
              row -> row.getLong(1));
      List<Piece> pieces = new ArrayList<>();
      long from = 0;
      long to = 0;
      for (long rows : groups) {
        to += rows;
        if (to - from >= rowsEach) {
          pieces.add(new Piece(file, from, to));
          from = to;
        }
      }
      if (to > from) {
        pieces.add(new Piece(file, from, to));
      }
      return pieces;
    }
  }
}
