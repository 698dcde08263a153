package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What rows are selected from: a table, a query, Parquet files.
///
/// The source's thread finds one; its methods ask the database at most while splits are made.
sealed interface Relation {

  /// Its columns and key.
  DuckDbCatalog.Found found();

  /// The relation as it stands after FROM, whole.
  String from();

  /// What the user should know of its values.
  default List<String> notes() {
    return List.of();
  }

  /// The part of it that a split is, as FROM and a condition on its rows that may be empty.
  Part part(String resource, long from, long to);

  /// Why it can't be read in parallel; empty where it can.
  String whole();

  /// How many rows it has, or -1 where only reading it would tell.
  long rows(DuckDbCatalog catalog);

  /// Its pieces, each of about that many rows.
  List<Piece> pieces(DuckDbCatalog catalog, long rowsEach);

  /// A part of the rows in SQL.
  ///
  /// @param from what stands after FROM
  /// @param condition what its rows fulfil, or empty
  record Part(String from, String condition) {}

  /// A range of rows.
  ///
  /// @param resource the table or file
  /// @param from first row, from 0
  /// @param to row after the last, or {@link Long#MAX_VALUE}
  record Piece(String resource, long from, long to) {}

  /// A table, in ranges of rowid, which DuckDB finds without a scan.
  ///
  /// @param name the table
  record Table(Sql.Table name, DuckDbCatalog.Found found) implements Relation {

    /// DuckDB keeps rows in groups of that many, and reads a group at a time.
    private static final long GROUP_ROWS = 122_880;

    @Override
    public String from() {
      return name.sql();
    }

    @Override
    public Part part(String resource, long from, long to) {
      if (!whole().isEmpty()) {
        return new Part(from(), "");
      }
      String upTo = to == Long.MAX_VALUE ? "" : " AND rowid < " + to;
      return new Part(from(), "rowid >= " + from + upTo);
    }

    @Override
    public String whole() {
      boolean hidden = found.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase("rowid"));
      return found.view()
          ? "a view is read by one query"
          : hidden ? "a column named rowid hides DuckDB's own" : "";
    }

    @Override
    public long rows(DuckDbCatalog catalog) {
      return found.view() ? -1 : catalog.number("SELECT count(*) FROM " + from());
    }

    @Override
    public List<Piece> pieces(DuckDbCatalog catalog, long rowsEach) {
      long last = catalog.number("SELECT max(rowid) FROM " + from());
      long step =
          rowsEach < GROUP_ROWS ? rowsEach : Math.ceilDiv(rowsEach, GROUP_ROWS) * GROUP_ROWS;
      List<Piece> pieces = new ArrayList<>();
      for (long from = 0; from <= last; from += step) {
        boolean isLast = from + step > last;
        pieces.add(new Piece(name.folded(), from, isLast ? Long.MAX_VALUE : from + step));
      }
      return pieces;
    }
  }

  /// A query of the user's.
  record Query(String sql, DuckDbCatalog.Found found) implements Relation {

    @Override
    public String from() {
      return "(" + sql + "\n) AS query";
    }

    @Override
    public Part part(String resource, long from, long to) {
      return new Part(from(), "");
    }

    @Override
    public String whole() {
      return "a query is read as one";
    }

    @Override
    public long rows(DuckDbCatalog catalog) {
      return -1;
    }

    @Override
    public List<Piece> pieces(DuckDbCatalog catalog, long rowsEach) {
      return List.of(new Piece("query", 0, Long.MAX_VALUE));
    }
  }

  /// Parquet files with the same columns, in ranges of row groups.
  ///
  /// @param paths where they are
  /// @param files the same as patterns that fit each alone
  /// @param notes what the user should know of their values
  record Parquet(
      List<String> paths, List<String> files, DuckDbCatalog.Found found, List<String> notes)
      implements Relation {

    /// Files as SQL reads them: their own columns, none made from the names of folders.
    ///
    /// @param options further ones, each after a comma
    static String read(List<String> files, String options) {
      return files.stream()
          .map(Sql::text)
          .collect(
              Collectors.joining(
                  ", ", "read_parquet([", "], hive_partitioning = false" + options + ")"));
    }

    @Override
    public String from() {
      return read(files, "");
    }

    @Override
    public Part part(String resource, long from, long to) {
      if (!whole().isEmpty()) {
        return new Part(from(), "");
      }
      String upTo = to == Long.MAX_VALUE ? "" : " AND file_row_number < " + to;
      return new Part(
          read(List.of(resource), ", file_row_number = true"), "file_row_number >= " + from + upTo);
    }

    @Override
    public String whole() {
      return found.columns().stream().anyMatch(c -> c.name().equalsIgnoreCase("file_row_number"))
          ? "a column named file_row_number hides DuckDB's own"
          : "";
    }

    @Override
    public long rows(DuckDbCatalog catalog) {
      return catalog.number("SELECT count(*) FROM " + from());
    }

    @Override
    public List<Piece> pieces(DuckDbCatalog catalog, long rowsEach) {
      return files.stream().flatMap(file -> pieces(catalog, file, rowsEach).stream()).toList();
    }

    private static List<Piece> pieces(DuckDbCatalog catalog, String file, long rowsEach) {
      List<Long> groups =
          catalog.query(
              "SELECT row_group_num_rows FROM parquet_metadata("
                  + Sql.text(file)
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
