package millrace.connectors.duckdb.read;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.spi.read.Split;
import org.duckdb.DuckDBConnection;

/// Compares the pages of Parquet files with their checksums before their rows are read, which
/// DuckDB does not do. Whether a file has checksums is told by its first group of rows; one without
/// costs a look at that. Lanes share it.
final class PageChecks {

  private final SelectedRows rows;
  private final QuerySource.Parquet files;

  /// The file that was looked at last; splits come file by file.
  private int knownFile = -1;

  /// Its pages, of all columns; none if they have no checksums.
  private List<ColumnPages> known = List.of();

  PageChecks(SelectedRows rows, QuerySource.Parquet files) {
    this.rows = rows;
    this.files = files;
  }

  /// Looks at the pages that a split is read from. A limit is met by a file's first rows.
  ///
  /// @param isStopped whether to end early, asked now and then
  /// @throws Fault.External if one is damaged
  void check(Split split, DuckDBConnection connection, BooleanSupplier isStopped) {
    if (rows.whyOneReader().isEmpty()) {
      int file = files.files().indexOf(split.resource());
      check(file, pages(file, connection), split.from(), split.to(), isStopped);
      return;
    }
    long most = rows.selection().filters() ? Long.MAX_VALUE : rows.selection().limit();
    for (int file = 0; file < files.files().size() && most > 0; file++) {
      List<ColumnPages> pages = pages(file, connection);
      check(file, pages, 0, most, isStopped);
      most -= pages.isEmpty() ? 0 : pages.getLast().to();
    }
  }

  private void check(
      int file, List<ColumnPages> pages, long from, long to, BooleanSupplier isStopped) {
    if (pages.isEmpty()) {
      return;
    }
    String path = files.paths().get(file);
    try (PageWalk walk = PageWalk.of(Path.of(path))) {
      for (ColumnPages column : pages) {
        String damage =
            isRead(column) && column.from() < to && column.to() > from
                ? walk.damage(column, isStopped)
                : null;
        if (damage != null) {
          throw ParquetDamage.fault(path, damage, null);
        }
      }
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /// Whether a column is selected, or its name is anywhere in the condition.
  private boolean isRead(ColumnPages column) {
    List<String> selected = rows.selection().columnsToRead();
    String condition = rows.selection().where();
    return selected.isEmpty()
        || selected.stream().anyMatch(column::isOf)
        || (condition != null
            && condition
                .toLowerCase(Locale.ROOT)
                .contains(column.column().toLowerCase(Locale.ROOT)));
  }

  private synchronized List<ColumnPages> pages(int file, DuckDBConnection connection) {
    if (file != knownFile) {
      String path = files.paths().get(file);
      SqlSession session = new SqlSession(connection, path, DuckDbFaults::reading);
      List<ColumnPages> all = ColumnPages.of(session, files.files().get(file));
      try (PageWalk walk = PageWalk.of(Path.of(path))) {
        known = hasChecksums(all, walk) ? all : List.of();
      } catch (IOException e) {
        throw unreadable(path, e);
      }
      knownFile = file;
    }
    return known;
  }

  private static boolean hasChecksums(List<ColumnPages> all, PageWalk walk) throws IOException {
    for (ColumnPages pages : all) {
      if (pages.group() > 0) {
        break;
      }
      if (walk.hasChecksum(pages)) {
        return true;
      }
    }
    return false;
  }

  private static Fault unreadable(String path, IOException e) {
    return new Fault.External("Can't read " + path + ": " + FileTrouble.reason(e) + ".", "", e);
  }
}
