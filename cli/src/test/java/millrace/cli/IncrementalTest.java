package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies of what is new, as a user asks for them.
final class IncrementalTest {

  @TempDir private Path home;
  private Path shop;
  private Path lake;

  @BeforeEach
  void makeShop() {
    shop = home.resolve("shop.db");
    lake = home.resolve("lake.db");
    sql(
        shop,
        "CREATE TABLE orders (id integer PRIMARY KEY, note text, updated_at timestamp)",
        "INSERT INTO orders VALUES (1, 'a', '2026-01-01 10:00:00'), (2, 'b', '2026-01-02"
            + " 10:00:00')");
  }

  private static void sql(Path file, String... statements) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String all(Path file) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT group_concat(id || note, ' ') FROM (SELECT * FROM orders ORDER BY id)")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Cli.Result copy(String... more) {
    String[] words = new String[3 + more.length];
    words[0] = "copy";
    words[1] = "sqlite:" + shop + "?table=orders";
    words[2] = "sqlite:" + lake + "?table=orders";
    System.arraycopy(more, 0, words, 3, more.length);
    return new Cli(home).run(words);
  }

  @Test
  void onlyWhatHasChangedIsMerged() {
    String[] merge = {"--mode", "merge", "--update-key", "updated_at"};
    assertThat(copy(merge).err()).contains("2 rows inserted", "updated_at up to 2026-01-02 10:00");
    sql(
        shop,
        "UPDATE orders SET note = 'c', updated_at = '2026-01-03 10:00:00' WHERE id = 1",
        "INSERT INTO orders VALUES (3, 'd', '2026-01-03 11:00:00')");
    assertThat(copy(merge).err()).contains("1 rows inserted, 1 updated, 0 unchanged");
    assertThat(all(lake)).isEqualTo("1c 2b 3d");
    assertThat(copy(merge).err()).contains("nothing is new: no updated_at is above 2026-01-03 11");
    assertThat(copy("--mode", "merge", "--update-key", "updated_at", "--overlap", "2h").err())
        .contains("2 unchanged");
  }

  @Test
  void rowsWithoutAnUpdateKeyAreCounted() {
    String[] merge = {"--mode", "merge", "--update-key", "updated_at"};
    sql(shop, "INSERT INTO orders VALUES (3, 'c', NULL), (4, 'd', NULL)");
    assertThat(copy(merge).err()).contains("2 rows have no updated_at: copied now");
    sql(shop, "INSERT INTO orders VALUES (5, 'e', NULL)");
    assertThat(copy(merge).err())
        .contains("3 rows have no updated_at and can't be told to be new: not copied");
    assertThat(all(lake)).isEqualTo("1a 2b 3c 4d");
    assertThat(copy("--mode", "merge", "--update-key", "id").err()).doesNotContain("no id");
  }

  /// Also by the copies after it, which find nothing new for it.
  @Test
  void aRowOfALaterYearIsReported() {
    String[] merge = {"--mode", "merge", "--update-key", "updated_at"};
    assertThat(copy(merge).err()).doesNotContain("ahead of the clock");
    sql(shop, "INSERT INTO orders VALUES (9, 'z', '2399-01-01 10:00:00')");
    for (int i = 0; i < 2; i++) {
      assertThat(copy(merge).err())
          .contains("The greatest updated_at is 2399-01-01 10:00:00, ahead of the clock");
    }
    // What is advised.
    sql(lake, "DELETE FROM orders WHERE id = 9");
    sql(shop, "UPDATE orders SET note = 'n', updated_at = '2026-02-01 10:00:00' WHERE id = 1");
    copy("--mode", "merge", "--update-key", "updated_at", "--where", "id < 9");
    assertThat(all(lake)).isEqualTo("1n 2b");
  }

  @Test
  void aRowWithoutAKeyNeedsOtherAdviceIfRowsAreDeleted() {
    copy("--mode", "merge");
    sql(
        shop,
        "CREATE TABLE loose (id integer, note text, updated_at timestamp)",
        "INSERT INTO loose SELECT * FROM orders",
        "INSERT INTO loose VALUES (NULL, 'n', '2026-01-05 10:00:00')");
    String to = "sqlite:" + lake + "?table=orders";
    String[] how = {"--mode", "merge", "--key", "id", "--deletes"};
    assertThat(run("sqlite:" + shop + "?table=loose", to, how).err())
        .contains("leave --deletes out");
    String query = "?query=SELECT * FROM loose WHERE id IS NOT NULL";
    assertThat(run("sqlite:" + shop + query, to, how).err()).contains("2 unchanged");
    // The rows that are new come first, those that are gone are found after them.
    String[] newOnes = {
      "--mode", "merge", "--key", "id", "--deletes", "--update-key", "updated_at"
    };
    assertThat(run("sqlite:" + shop + "?table=loose", to, newOnes).err())
        .contains("leave --deletes out")
        .doesNotContain("copy sets bad ones aside");
    sql(
        shop,
        "DELETE FROM loose WHERE id = 1",
        "INSERT INTO loose VALUES (3, 'p', '2026-01-06 10:00:00')");
    assertThat(run("sqlite:" + shop + query, to, newOnes).err())
        .contains("1 rows are deleted whose key is gone");
    assertThat(all(lake)).isEqualTo("2b 3p");
  }

  private Cli.Result run(String from, String to, String... how) {
    return new Cli(home)
        .run(Stream.concat(Stream.of("copy", from, to), Stream.of(how)).toArray(String[]::new));
  }

  @Test
  void rowsThatOnlyComeAreAddedInChunks() {
    String[] append = {"--mode", "append", "--update-key", "id", "--chunk", "1"};
    sql(shop, "INSERT INTO orders VALUES (1000000, 'far', '2026-01-03 11:00:00')");
    assertThat(copy(append).err()).contains("3 rows in all");
    assertThat(all(lake)).isEqualTo("1a 2b 1000000far");
  }

  @Test
  void rowsThatAreGoneAreDeletedIfItIsAskedTo() {
    String[] merge = {"--mode", "merge", "--update-key", "updated_at", "--deletes"};
    copy(merge);
    sql(shop, "DELETE FROM orders WHERE id = 1");
    assertThat(copy(merge).err()).contains("1 rows are deleted whose key is gone");
    assertThat(all(lake)).isEqualTo("2b");
    sql(shop, "UPDATE orders SET note = 'new'");
    assertThat(copy("--mode", "insert-only").err()).contains("0 updated", "1 left as they are");
    assertThat(all(lake)).isEqualTo("2b");
  }

  @ParameterizedTest
  @CsvSource({
    "--update-key updated_at, --mode is missing",
    "--mode replace --update-key updated_at, --mode replace does not",
    "--mode append --update-key updated_at --overlap 5m, would add them again",
    "--mode append --overlap 5m, none is named",
    "--mode append --update-key updated, no column 'updated'",
    "--mode append --update-key note, is a column of text",
    "--mode append --update-key id --chunk 1d, is no number",
    "--mode append --update-key updated_at --chunk 0, takes no rows",
    "--mode append --update-key updated_at --resume, leaves nothing half done",
    "--mode append --update-key updated_at --select id, none of the columns",
    "--mode append --deletes, takes a merge",
    "--mode merge --deletes --where id>1, would delete rows",
  })
  void whatMakesNoSenseIsRefusedBeforeTheFirstRow(String options, String said) {
    Cli.Result result = copy(options.split(" ", -1));
    assertThat(result.err()).contains(said);
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    assertThat(lake)
        .satisfiesAnyOf(
            file -> assertThat(file).doesNotExist(), file -> assertThat(Files.size(file)).isZero());
  }

  @Test
  void aJobSaysItForEachStream() throws IOException {
    Path job =
        Files.writeString(
            home.resolve("night.yaml"),
            """
            source: sqlite:%s
            target: sqlite:%s
            defaults:
              mode: incremental
              update_key: updated_at
            streams:
              orders:
                object: orders
                primary_key: id
            """
                .formatted(shop, lake));
    assertThat(new Cli(home).run("run", job.toString()).err()).contains("1 ok; 2 rows");
    sql(shop, "UPDATE orders SET note = 'c', updated_at = '2026-01-03 10:00:00' WHERE id = 1");
    assertThat(new Cli(home).run("run", job.toString()).err()).contains("1 ok; 1 rows");
    assertThat(all(lake)).isEqualTo("1c 2b");
  }
}
