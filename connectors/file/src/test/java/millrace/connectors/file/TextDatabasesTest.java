package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/// Escaped text goes to real databases and comes from them, with the same values on both sides.
class TextDatabasesTest {

  private static final Map<String, String> TEXT = Map.of("format", "text");
  private static final Map<String, String> BARE =
      Map.of("format", "text", "header", "false", "columns", "id:text,a:text,b:text");

  /// What values are made of: all that has a meaning to somebody.
  private static final List<String> PARTS =
      List.of(
          "\t", "\n", "\r", "\r\n", "\\", "\\N", "\\.", "N", ".", "n", "t", "0", "012", "x41", "\"",
          "'", ",", "|", "\b", "\f", "\u000B", "\u001A", "\u0001", " ", "é", "日本", "😀", "\uFEFF",
          "NULL", "text");

  @TempDir Path folder;

  /// The same rows at every call: each part alone, and many together.
  private static List<List<@Nullable String>> rows() {
    List<List<@Nullable String>> rows = new ArrayList<>();
    Random random = new Random(5);
    for (String part : PARTS) {
      rows.add(Arrays.asList(id(rows), part, part + part));
    }
    rows.add(Arrays.asList(id(rows), "", null));
    rows.add(Arrays.asList(id(rows), null, ""));
    for (int i = 0; i < 2000; i++) {
      rows.add(Arrays.asList(id(rows), value(random), value(random)));
    }
    return rows;
  }

  private static String id(List<List<@Nullable String>> rows) {
    return String.format("%05d", rows.size());
  }

  private static @Nullable String value(Random random) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    return text.toString();
  }

  private Path written(String newline) {
    Path file = folder.resolve("written.txt");
    Trial.of(file, Map.of("format", "text", "newline", newline)).write(rows(), 3);
    return file;
  }

  private static List<List<@Nullable String>> read(Statement statement) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ResultSet set = statement.executeQuery("SELECT id, a, b FROM t ORDER BY id")) {
      while (set.next()) {
        rows.add(Arrays.asList(set.getString(1), set.getString(2), set.getString(3)));
      }
    }
    return rows;
  }

  @Test
  void postgresReadsWhatIsWrittenAndWritesWhatIsRead() throws SQLException, IOException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE t (id text, a text, b text)");
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
      for (String newline : List.of("LF", "CRLF")) {
        statement.execute("TRUNCATE t");
        try (InputStream file = Files.newInputStream(written(newline))) {
          copies.copyIn("COPY t FROM STDIN", file);
        }
        assertThat(read(statement)).isEqualTo(rows());
        Files.delete(folder.resolve("written.txt"));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      copies.copyOut("COPY (SELECT * FROM t ORDER BY id) TO STDOUT", bytes);
      assertIsRead(Files.write(folder.resolve("copy.txt"), bytes.toByteArray()));
      bytes.write(new byte[] {'\\', '.', '\n'});
      assertIsRead(Files.write(folder.resolve("marked.txt"), bytes.toByteArray()));
    }
  }

  @Test
  void mariaDbReadsWhatIsWrittenAndWritesWhatIsRead() throws SQLException, IOException {
    readsAndWrites(MariaDbServer.shared());
  }

  @Test
  void mySqlReadsWhatIsWrittenAndWritesWhatIsRead() throws SQLException, IOException {
    readsAndWrites(MySqlServer.shared());
  }

  private void readsAndWrites(MySqlFamilyServer server) throws SQLException, IOException {
    String database = server.newDatabase();
    server.runIn(database, "CREATE TABLE t (id varchar(9) PRIMARY KEY, a text, b text)");
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      try (InputStream file = Files.newInputStream(written("LF"))) {
        statement.unwrap(org.mariadb.jdbc.Statement.class).setLocalInfileInputStream(file);
        statement.execute("LOAD DATA LOCAL INFILE 'rows' INTO TABLE t CHARACTER SET utf8mb4");
      }
      assertThat(read(statement)).isEqualTo(rows());
      Path outfile = server.files().resolve(database + ".txt");
      statement.execute(
          "SELECT * FROM t ORDER BY id INTO OUTFILE '" + outfile + "' CHARACTER SET utf8mb4");
      assertIsRead(outfile);
      Files.delete(outfile);
    }
  }

  /// By one lane and by several.
  private static void assertIsRead(Path file) {
    assertThat(Trial.of(file, BARE).rows()).isEqualTo(rows());
    assertThat(Trial.of(file, BARE).lanes(3, 1_000).rows()).isEqualTo(rows());
    assertThat(Trial.of(file, TEXT).rows()).hasSize(rows().size());
  }
}
