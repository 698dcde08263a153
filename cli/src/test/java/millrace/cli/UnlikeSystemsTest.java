package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that go to another system with their keys, indexes, foreign keys, defaults and numbers.
final class UnlikeSystemsTest {

  private static PostgresServer postgres;

  @TempDir private Path home;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.embedded();
  }

  private Cli.Result copy(String... words) {
    List<String> all = new ArrayList<>(List.of("copy"));
    all.addAll(List.of(words));
    return new Cli(home).run(all.toArray(String[]::new));
  }

  private static List<String> rows(Connection open, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (open;
        Statement statement = open.createStatement();
        ResultSet each = statement.executeQuery(query)) {
      while (each.next()) {
        rows.add(each.getString(1));
      }
    }
    return rows;
  }

  private static MySqlFamilyServer server(String scheme) {
    return scheme.equals("mariadb") ? MariaDbServer.shared() : MySqlServer.shared();
  }

  private String url(MySqlFamilyServer server, String database) {
    return server.url("root", "", database) + "?table=*";
  }

  private static String url(String database) {
    return postgres.url(database) + "?table=public.*";
  }

  /// What was an enum there is a text with a check, whose default MySQL spells in another way.
  private static List<String> catalog(MySqlFamilyServer server, String database)
      throws SQLException {
    return rows(server.connect(database), ShopSchema.OF_MYSQL).stream()
        .filter(row -> !row.startsWith("column medium state"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aShopGoesToPostgresAndBack(String scheme) throws SQLException {
    MySqlFamilyServer server = server(scheme);
    String from = server.newDatabase();
    String back = server.newDatabase();
    String between = postgres.newDatabase();
    server.runIn(from, ShopSchema.SHOP);
    Cli.Result there = copy(url(server, from), url(between));
    assertThat(there.code()).as(there.err()).isZero();
    assertThat(there.err()).doesNotContain("Not copied");
    assertThat(rows(postgres.connect(between), ShopSchema.OF_POSTGRES))
        .contains(
            "CREATE INDEX by_title ON record USING btree (title, maker_id)",
            "constraint client client_mail UNIQUE (mail)",
            "constraint medium medium_state_check CHECK ((state = ANY (ARRAY['new'::text,"
                + " 'old'::text])))",
            "constraint record record_maker FOREIGN KEY (maker_id) REFERENCES maker(maker_id) ON"
                + " UPDATE CASCADE ON DELETE CASCADE",
            "default bill made CURRENT_TIMESTAMP",
            "default clerk active true",
            "default kind name 'it''s \\ new'::character varying",
            "default record Year Made '-1'::integer",
            "next public.maker_maker_id_seq 400");
    Cli.Result home = copy(url(between), url(server, back));
    assertThat(home.code()).as(home.err()).isZero();
    assertThat(home.err()).doesNotContain("Not copied");
    assertThat(catalog(server, back)).isEqualTo(catalog(server, from));
    server.runIn(back, "INSERT INTO medium (name) VALUES ('tape')");
    assertThat(rows(server.connect(back), "SELECT concat(medium_id, state) FROM medium"))
        .containsExactlyInAnyOrder("1old", "2new");
  }

  /// Each declares columns in ways that the other refuses.
  @Test
  void aShopGoesFromMariaDbToMySql() throws SQLException {
    String from = server("mariadb").newDatabase();
    String to = server("mysql").newDatabase();
    server("mariadb").runIn(from, ShopSchema.SHOP);
    Cli.Result result = copy(url(server("mariadb"), from), url(server("mysql"), to));
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(keys(server("mysql"), to)).isEqualTo(keys(server("mariadb"), from));
  }

  private static List<String> keys(MySqlFamilyServer server, String database) throws SQLException {
    return rows(server.connect(database), ShopSchema.OF_MYSQL).stream()
        .filter(row -> row.matches("(index|foreign key|next|comment).*"))
        .map(row -> row.replace("NO ACTION", "RESTRICT"))
        .sorted()
        .toList();
  }

  /// Takes what was paid out of the ledgers of jobs, as if the job had been killed before.
  private void forgetPayments() throws IOException {
    try (Stream<Path> ledgers = Files.walk(home.resolve(".local/state/millrace/jobs"))) {
      for (Path ledger : ledgers.filter(Files::isRegularFile).toList()) {
        List<String> lines = Files.readAllLines(ledger);
        lines.removeIf(line -> line.contains("\"paid\""));
        Files.write(ledger, lines);
      }
    }
  }

  /// Whatever of it was made already.
  @Test
  void aKilledJobThatIsResumedMakesWhatItOwes() throws SQLException, IOException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, ShopSchema.SHOP);
    assertThat(copy(url(server, from), url(to)).code()).isZero();
    List<String> made = rows(postgres.connect(to), ShopSchema.OF_POSTGRES);
    postgres.execute(to, ShopSchema.LOSE);
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES)).isNotEqualTo(made);
    forgetPayments();
    Cli.Result resumed = copy(url(server, from), url(to), "--resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES)).isEqualTo(made);
    assertThat(rows(postgres.connect(to), "SELECT count(*) FROM track")).containsExactly("2");
  }

  /// Its statement is named, all else is done, and its rows are not copied twice.
  @ParameterizedTest
  @ValueSource(strings = {"", "append"})
  void whatCanNotBeMadeIsMadeLater(String mode) throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, ShopSchema.SHOP);
    postgres.execute(to, "CREATE VIEW by_title AS SELECT 1 AS x");
    List<String> words = new ArrayList<>(List.of(url(server, from), url(to)));
    words.addAll(mode.isEmpty() ? List.of() : List.of("--mode", mode));
    Cli.Result failed = copy(words.toArray(String[]::new));
    assertThat(failed.code()).isEqualTo(6);
    assertThat(failed.err())
        .contains(
            "10 ok, 1 failed",
            "The statement was: CREATE INDEX \"by_title\" ON \"public\".\"record\"",
            "Owed: track lacks its foreign keys to record.");
    postgres.execute(to, "DROP VIEW by_title");
    words.add("--resume");
    Cli.Result resumed = copy(words.toArray(String[]::new));
    assertThat(resumed.code()).as(resumed.err()).isZero();
    String whole = postgres.newDatabase();
    assertThat(copy(url(server, from), url(whole)).code()).isZero();
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES))
        .isEqualTo(rows(postgres.connect(whole), ShopSchema.OF_POSTGRES));
    assertThat(rows(postgres.connect(to), "SELECT count(*) FROM record")).containsExactly("2");
  }

  @Test
  void aTableThatIsThereKeepsItsDefinition() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, "CREATE TABLE a (id int PRIMARY KEY AUTO_INCREMENT, x int, KEY a_x (x))");
    postgres.execute(to, "CREATE TABLE a (id int, x int)");
    assertThat(copy(url(server, from), url(to)).code()).isZero();
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "none"})
  void columnsAndKeysAloneComeIfTheUserWantsIt(String definitions) throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, ShopSchema.SHOP);
    Cli.Result result = copy(url(server, from), url(to), "--definitions", definitions);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES))
        .allMatch(row -> row.contains("_pkey"))
        .hasSize(22);
  }

  @Test
  void aPlanShowsTheStatementsAndChangesNothing() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, ShopSchema.SHOP);
    Cli.Result plan = copy(url(server, from), url(to), "--dry-run");
    assertThat(plan.out() + plan.err())
        .contains(
            "CREATE INDEX \"by_title\" ON \"public\".\"record\" (\"title\", \"maker_id\")",
            "-- after the rows of all tables",
            "FOREIGN KEY (\"boss\") REFERENCES \"public\".\"clerk\" (\"clerk_id\")");
    assertThat(rows(postgres.connect(to), ShopSchema.OF_POSTGRES)).isEmpty();
  }

  /// Names of indexes are the table's there, and the schema's here, and shorter.
  @Test
  void indexesOfOneNameHaveTheirTablesInFront() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    String longest = "n".repeat(64);
    server.runIn(
        from,
        "CREATE TABLE a (id int PRIMARY KEY, x int, KEY x (x), KEY b (x, id), KEY "
            + longest
            + " (id, x))",
        "CREATE TABLE b (id int PRIMARY KEY, x int, UNIQUE KEY x (x), KEY "
            + longest
            + " (id, x))");
    assertThat(copy(url(server, from), url(to)).code()).isZero();
    assertThat(
            rows(
                postgres.connect(to),
                "SELECT indexrelid::regclass FROM pg_index WHERE NOT indisprimary AND"
                    + " indrelid::regclass::text IN ('a', 'b') ORDER BY 1::text"))
        .containsExactlyInAnyOrder("x", "a_b", "n".repeat(63), "b_x", "b_" + "n".repeat(61));
  }

  /// Nothing is left without a word.
  @Test
  void whatHasNoWordsInOtherSystemsIsNamed() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(
        from,
        "CREATE TABLE other (id int PRIMARY KEY)",
        "CREATE TABLE a (id int PRIMARY KEY, x varchar(20) DEFAULT (concat('a', 'b')), y text, z"
            + " int AS (id * 2), at timestamp DEFAULT CURRENT_TIMESTAMP ON UPDATE"
            + " CURRENT_TIMESTAMP, CHECK (length(x) > 1), KEY y_begin (y(4)), FULLTEXT KEY y_words"
            + " (y), FOREIGN KEY (id) REFERENCES other (id))",
        "CREATE TABLE p (id int PRIMARY KEY, many set('a', 'b')) PARTITION BY HASH (id) PARTITIONS"
            + " 2",
        "CREATE VIEW seen AS SELECT * FROM a",
        "CREATE TRIGGER touching BEFORE INSERT ON a FOR EACH ROW SET new.x = trim(new.x)",
        "CREATE FUNCTION one() RETURNS int RETURN 1");
    Cli.Result result = copy(url(server, from), url(to), "--exclude", "other", "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .contains(
            "Not copied:",
            "1 check: CONSTRAINT_1 of a",
            "1 computed column: z of a",
            "1 default: x of a",
            "1 foreign key: a_ibfk_1 (to " + from + ".other, which is not copied) of a",
            "1 function: " + from + ".one",
            "2 indexes: y_begin (of the beginnings of values) of a, y_words (of type fulltext) of"
                + " a",
            "1 partitioning: by HASH of p",
            "1 set of values: many of p",
            "1 time of update: at of a",
            "1 trigger: touching of a",
            "1 view: " + from + ".seen");
  }

  /// PostgreSQL's own spellings of the same things.
  @Test
  void aSchemaOfPostgresGoesToMariaDb() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = postgres.newDatabase();
    String to = server.newDatabase();
    postgres.execute(
        from,
        "CREATE TYPE mood AS ENUM ('calm', 'wild')",
        "CREATE TABLE a (id serial PRIMARY KEY, kind text NOT NULL DEFAULT 'x', m mood DEFAULT"
            + " 'calm', n numeric(8,2) CHECK (n BETWEEN 0 AND 10), day date DEFAULT CURRENT_DATE,"
            + " at timestamptz DEFAULT now(), ok boolean DEFAULT true, tag varchar(9) CHECK (tag IN"
            + " ('p', 'q')), CHECK (length(kind) > 0))",
        "INSERT INTO a (kind) VALUES ('k')",
        "CREATE INDEX a_kind ON a (kind, id DESC)",
        "CREATE INDEX a_part ON a (n) WHERE n > 3",
        "CREATE INDEX a_lower ON a (lower(kind))",
        "CREATE UNIQUE INDEX a_tag ON a (tag)",
        "CREATE SEQUENCE alone",
        "CREATE SEQUENCE drawn START 40",
        "CREATE TABLE b (id bigint PRIMARY KEY DEFAULT nextval('drawn'), t text)",
        "INSERT INTO b (t) VALUES ('r')",
        // MariaDB numbers one column, with which a key begins.
        "CREATE TABLE keyless (id serial)",
        "CREATE TABLE keyed (id serial UNIQUE, other serial UNIQUE, x int, b bigint)",
        "INSERT INTO keyed VALUES (5, 5, -1, 99)",
        "ALTER TABLE keyed ADD CHECK (x > 0) NOT VALID, ADD FOREIGN KEY (b) REFERENCES b NOT VALID",
        "CREATE VIEW seen AS SELECT 1 AS one");
    Cli.Result result = copy(url(from), url(server, to), "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .contains(
            "2 checks: a_kind_check of public.a, keyed_x_check of public.keyed",
            "1 foreign key: keyed_b_fkey (not valid) of public.keyed",
            "2 numberings (since the database numbers one column, with which a key begins):"
                + " id of public.keyless, other of public.keyed",
            "2 indexes: a_lower (of an expression) of public.a, a_part (with a condition) of"
                + " public.a",
            "1 sequence: public.alone",
            "1 view: public.seen");
    assertThat(rows(server.connect(to), ShopSchema.OF_MYSQL))
        .contains(
            "column a at YES  current_timestamp(6)",
            "column a day YES  curdate()",
            "column a kind NO  'x'",
            "column a ok YES  b'1'",
            "index a a_kind 1 kind,id",
            "index a a_tag 0 tag",
            "next a 2",
            "next b 41",
            "next keyed 6");
    assertThat(
            rows(
                server.connect(to),
                "SELECT check_clause FROM information_schema.check_constraints WHERE"
                    + " constraint_schema = database() ORDER BY 1"))
        .containsExactly("`m` in ('calm','wild')", "`n` >= 0 and `n` <= 10", "`tag` in ('p','q')");
  }
}
