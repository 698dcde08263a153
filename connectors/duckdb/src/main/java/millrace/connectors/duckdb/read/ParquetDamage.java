package millrace.connectors.duckdb.read;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.io.FileFormat;
import millrace.spi.read.Split;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
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
  private static final String FOOTER = ": its footer can't be read";

  private static final String ADVICE = "Get the file again, or have it written anew.";

  private ParquetDamage() {}

  /// Does what needs a file's footer; what it can't be read for is told with the file.
  ///
  /// @throws Fault.External if it is damaged
  public static <T> T whole(String path, Supplier<T> work) {
    try {
      return work.get();
    } catch (Fault fault) {
      if (mayBe(fault) && FileFormat.of(Path.of(path)) == FileFormat.PARQUET) {
        throw new Fault.External(
            path + " is damaged" + FOOTER + ".", "It may be cut off. " + ADVICE, fault);
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
    int file = files.files().indexOf(split.resource());
    return file < 0
        ? of(found, files, connection)
        : mayBe(found) ? of(found, files, file, split.from(), split.to(), connection) : found;
  }

  /// The same if there are no splits of files: each is looked at.
  static Fault of(Fault found, QuerySource.Parquet files, DuckDBConnection connection) {
    if (mayBe(found)) {
      for (int file = 0; file < files.files().size(); file++) {
        Fault damage = of(found, files, file, 0, Long.MAX_VALUE, connection);
        if (damage != found) {
          return damage;
        }
      }
    }
    return found;
  }

  /// The fault of a file of which is known what is wrong.
  ///
  /// @param damage where and what, behind "is damaged"
  static Fault fault(String path, String damage, @Nullable Fault cause) {
    return new Fault.External(
        path + " is damaged" + damage.replaceFirst("\\.$", "") + ".", ADVICE, cause);
  }

  /// Whether damage may be behind it: what DuckDB says of that has no end.
  private static boolean mayBe(Fault found) {
    boolean isOfMemory = String.valueOf(found.getMessage()).contains("memory");
    return saysSo(found)
        || ((found instanceof Fault.External || found instanceof Fault.Data) && !isOfMemory);
  }

  private static boolean saysSo(Fault found) {
    return SAYS.matcher(String.valueOf(found.getMessage())).find();
  }

  private static Fault of(
      Fault found,
      QuerySource.Parquet files,
      int file,
      long from,
      long to,
      DuckDBConnection connection) {
    String path = files.paths().get(file);
    String damage = damage(path, files.files().get(file), from, to, connection);
    if (damage != null) {
      return fault(path, damage, found);
    }
    return saysSo(found) && files.files().size() == 1
        ? fault(path, ": " + message(found), found)
        : found;
  }

  private static String message(Fault found) {
    String message = String.valueOf(found.getMessage());
    return HEADER.matcher(message).find()
        ? "what stands in place of a length or number makes no sense"
        : NAME.matcher(message.substring(message.indexOf(": ") + 2)).replaceAll("");
  }

  /// Where a file is damaged, and what is wrong; null if that can't be found. Headers and checksums
  /// are looked at first, since they tell the page; then the columns are read one by one.
  private static @Nullable String damage(
      String path, String file, long from, long to, DuckDBConnection connection) {
    try (DuckDBConnection dedicated = connection.duplicate();
        PageWalk walk = PageWalk.of(Path.of(path))) {
      SqlSession session = new SqlSession(dedicated, path, DuckDbFaults::reading);
      List<ColumnPages> all = pages(session, file);
      if (all == null) {
        return FOOTER;
      }
      all.removeIf(pages -> pages.from() >= to || pages.to() <= from);
      for (ColumnPages pages : all) {
        String damage = walk.damage(pages, () -> false);
        if (damage != null) {
          return damage;
        }
      }
      for (ColumnPages pages : all) {
        Fault fault = fault(session, file, pages);
        if (fault != null && mayBe(fault)) {
          return pages.where("the pages", "from byte " + pages.offset() + " on")
              + ": "
              + message(fault);
        }
      }
    } catch (SQLException | IOException | Fault e) {
      LOG.debug("where {} is damaged", path, e);
    }
    return null;
  }

  /// Null if the footer does not tell.
  private static @Nullable List<ColumnPages> pages(SqlSession session, String file) {
    try {
      return ColumnPages.of(session, file);
    } catch (Fault e) {
      if (mayBe(e)) {
        LOG.debug("the footer of {}", file, e);
        return null;
      }
      throw e;
    }
  }

  /// Why a column's values can't be read; null if they can. They are asked for themselves: DuckDB
  /// knows from the footer what can be computed of a column whose values are all the same.
  private static @Nullable Fault fault(SqlSession session, String file, ColumnPages pages) {
    try {
      session.query(
          "SELECT %s FROM %s WHERE file_row_number >= %d AND file_row_number < %d"
              .formatted(
                  DuckDbSql.name(pages.column()),
                  QuerySource.Parquet.read(List.of(file), ", file_row_number = true"),
                  pages.from(),
                  pages.to()),
          _ -> true);
      return null;
    } catch (Fault e) {
      LOG.debug("{} of {}", pages, file, e);
      return e;
    }
  }
}
