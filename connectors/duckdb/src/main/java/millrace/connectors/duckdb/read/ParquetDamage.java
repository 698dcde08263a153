package millrace.connectors.duckdb.read;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.io.FileFormat;
import millrace.spi.read.Split;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says which file of Parquet is damaged, and where: DuckDB's messages name the file at most.
public final class ParquetDamage {

  private static final Logger LOG = LoggerFactory.getLogger(ParquetDamage.class);

  /// What DuckDB says of bytes that make no sense to it.
  private static final Pattern SAYS =
      Pattern.compile(
          "(?i)decompression failure|failed to decompress|unsupported GZIP stream|out of buffer"
              + "|TProtocolException|don't know what type|variable-length int|footer length"
              + "|magic bytes|too small to be|invalid string encoding");

  /// What it says of what stands in place of numbers and lengths.
  private static final Pattern HEADER =
      Pattern.compile(
          "(?i)out of buffer|TProtocolException|don't know what type|variable-length int");

  private static final Pattern NAME = Pattern.compile("(?i)failed to read file \"[^\"]*\": ");
  private static final String ADVICE = "Get the file again, or have it written anew.";

  private ParquetDamage() {}

  /// Column, rows and place of what is stored together: a column's values of a group of rows.
  private record Chunk(String column, long group, long from, long to, long offset) {

    String where() {
      return String.format(
          Locale.ROOT,
          " in the pages of column \"%s\" of rows %d to %d (row group %d, from byte %d on)",
          column,
          from + 1,
          to,
          group + 1,
          offset);
    }
  }

  /// Does what needs a file's footer; what it can't be read for is told with the file.
  ///
  /// @throws Fault.External if it is damaged
  public static <T> T whole(String path, Supplier<T> work) {
    try {
      return work.get();
    } catch (Fault fault) {
      String message = String.valueOf(fault.getMessage());
      boolean isUnreadable =
          saysSo(fault) || (fault instanceof Fault.External && !message.contains("memory"));
      if (isUnreadable && FileFormat.of(Path.of(path)) == FileFormat.PARQUET) {
        throw new Fault.External(
            path + " is damaged: its footer can't be read.", "It may be cut off. " + ADVICE, fault);
      }
      throw fault;
    }
  }

  /// The fault of a split that can't be read.
  ///
  /// @param found what it was taken for
  /// @param connection of the same database
  static Fault of(
      Fault found, QuerySource.Parquet files, Split split, DuckDBConnection connection) {
    return saysSo(found)
        ? of(found, files, split.resource(), split.from(), split.to(), true, connection)
        : found;
  }

  /// The same of a fault that came before there were splits: each file is looked at.
  static Fault of(Fault found, QuerySource.Parquet files, DuckDBConnection connection) {
    if (saysSo(found)) {
      for (String file : files.files()) {
        boolean isAlone = files.files().size() == 1;
        Fault told = of(found, files, file, 0, Long.MAX_VALUE, isAlone, connection);
        if (told != found) {
          return told;
        }
      }
    }
    return found;
  }

  private static boolean saysSo(Fault found) {
    return SAYS.matcher(String.valueOf(found.getMessage())).find();
  }

  /// @param file as a pattern that fits it alone
  /// @param isSure whether it is known that this file can't be read, if not where: DuckDB does not
  ///   read the pages of a column whose values are all the same
  private static Fault of(
      Fault found,
      QuerySource.Parquet files,
      String file,
      long from,
      long to,
      boolean isSure,
      DuckDBConnection connection) {
    int index = files.files().indexOf(file);
    String where = index < 0 ? "" : where(file, from, to, connection);
    if (where.isEmpty() && (index < 0 || !isSure)) {
      return found;
    }
    String message = String.valueOf(found.getMessage());
    String what =
        HEADER.matcher(message).find()
            ? "a page's header makes no sense"
            : NAME.matcher(message.substring(message.indexOf(": ") + 2)).replaceAll("");
    return new Fault.External(
        files.paths().get(index)
            + " is damaged"
            + where
            + ": "
            + what.replaceFirst("\\.$", "")
            + ".",
        ADVICE,
        found);
  }

  /// Reads the rows column by column; empty if that can't tell.
  private static String where(String file, long from, long to, DuckDBConnection connection) {
    try (DuckDBConnection own = connection.duplicate()) {
      SqlSession session = new SqlSession(own, file, DuckDbFaults::reading);
      for (Chunk chunk : chunks(session, file)) {
        if (chunk.from < to && chunk.to > from && !isReadable(session, file, chunk)) {
          return chunk.where();
        }
      }
    } catch (SQLException | Fault e) {
      LOG.debug("where {} is damaged", file, e);
    }
    return "";
  }

  private static List<Chunk> chunks(SqlSession session, String file) {
    return session.query(
        """
        SELECT split_part(path_in_schema, ', ', 1), row_group_id, row_group_num_rows,
            sum(row_group_num_rows) OVER (PARTITION BY column_id ORDER BY row_group_id),
            coalesce(dictionary_page_offset, data_page_offset)
        FROM parquet_metadata(?) ORDER BY row_group_id, column_id\
        """,
        row ->
            new Chunk(
                row.getString(1),
                row.getLong(2),
                row.getLong(4) - row.getLong(3),
                row.getLong(4),
                row.getLong(5)),
        file);
  }

  private static boolean isReadable(SqlSession session, String file, Chunk chunk) {
    try {
      DuckDbCatalog.number(
          session,
          "SELECT count(hash(%s)) FROM %s WHERE file_row_number >= %d AND file_row_number < %d"
              .formatted(
                  DuckDbSql.name(chunk.column),
                  QuerySource.Parquet.read(List.of(file), ", file_row_number = true"),
                  chunk.from,
                  chunk.to));
      return true;
    } catch (Fault e) {
      LOG.debug("{} of {}", chunk, file, e);
      return false;
    }
  }
}
