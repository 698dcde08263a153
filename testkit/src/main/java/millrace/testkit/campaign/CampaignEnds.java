package millrace.testkit.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;

/// The ends of a campaign's copies: made once, emptied before each copy, compared after it.
final class CampaignEnds {

  static final String SOURCE_TABLE = "wanted";
  private static final String TARGET_TABLE = "rows";

  /// What a complete copy with --resume keeps beside its file.
  private static final Pattern MARK =
      Pattern.compile("\\.rows\\.csv\\.millrace-[0-9a-f]+\\.journal");

  private final Path folder;
  private final PostgresServer server;
  private final String database;

  CampaignEnds(Path folder, PostgresServer server, String database) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.server = server;
    this.database = database;
  }

  /// The rows as they were made.
  Path csv() {
    return folder.resolve("made.csv");
  }

  /// The rows as an undisturbed copy unloads them.
  Path unloaded() {
    return folder.resolve("unloaded.csv");
  }

  private Path target() {
    return folder.resolve("target");
  }

  String table(int port, String table) {
    return "postgresql://"
        + server.user()
        + "@localhost:"
        + port
        + "/"
        + database
        + "?table="
        + table;
  }

  String from(Route route, int port) {
    return route.fromPostgres() ? table(port, SOURCE_TABLE) : csv().toString();
  }

  String to(Route route, int port) {
    return switch (route) {
      case CSV_TO_POSTGRES,
          POSTGRES_TO_POSTGRES,
          CSV_TO_POSTGRES_ON_SPARK,
          POSTGRES_TO_POSTGRES_ON_SPARK ->
          table(port, TARGET_TABLE);
      case POSTGRES_TO_CSV -> target().resolve("rows.csv").toString();
      case CSV_TO_DUCKDB -> "duckdb:" + target().resolve("rows.db") + "?table=rows";
    };
  }

  /// Makes both kinds of target as they are before a first copy.
  void clear() {
    server.execute(
        database,
        "DROP TABLE IF EXISTS " + TARGET_TABLE,
        "DROP TABLE IF EXISTS millrace_journal",
        "CREATE TABLE " + TARGET_TABLE + " (LIKE " + SOURCE_TABLE + ")");
    try {
      if (Files.exists(target())) {
        try (Stream<Path> files = Files.list(target())) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
      } else {
        Files.createDirectory(target());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes the journal away, as if none had been kept.
  void dropJournal() {
    server.execute(database, "DROP TABLE IF EXISTS millrace_journal");
  }

  /// Whether a copy has begun to write files.
  boolean targetIsBegun() {
    try (Stream<Path> files = Files.list(target())) {
      return files.findAny().isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What is wrong with the target, or empty if it holds every row once and nothing is left beside
  /// it. DuckDB's is not looked at here: that needs a process of its own.
  String difference(Route route, long rows) {
    try {
      return switch (route) {
        case CSV_TO_POSTGRES,
            POSTGRES_TO_POSTGRES,
            CSV_TO_POSTGRES_ON_SPARK,
            POSTGRES_TO_POSTGRES_ON_SPARK ->
            tableDifference(rows);
        case POSTGRES_TO_CSV -> fileDifference();
        case CSV_TO_DUCKDB -> "";
      };
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("can't compare", e);
    }
  }

  private String tableDifference(long rows) throws SQLException {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      long there = number(statement, "SELECT count(*) FROM " + TARGET_TABLE);
      long lost = number(statement, missing(SOURCE_TABLE, TARGET_TABLE));
      long more = number(statement, missing(TARGET_TABLE, SOURCE_TABLE));
      return there == rows && lost == 0 && more == 0
          ? ""
          : there + " rows, " + lost + " lost, " + more + " too many";
    }
  }

  private static String missing(String of, String in) {
    return "SELECT count(*) FROM (TABLE " + of + " EXCEPT ALL TABLE " + in + ") AS missing";
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private String fileDifference() throws IOException {
    if (Files.notExists(target().resolve("rows.csv"))) {
      return "there is no file";
    }
    long at = Files.mismatch(unloaded(), target().resolve("rows.csv"));
    if (at >= 0) {
      return "the file differs from byte " + at + " on";
    }
    try (Stream<Path> files = Files.list(target())) {
      List<Path> more =
          files
              .filter(file -> !file.endsWith("rows.csv"))
              .filter(file -> !MARK.matcher(file.getFileName().toString()).matches())
              .toList();
      return more.isEmpty() ? "" : "files are left: " + more;
    }
  }
}
