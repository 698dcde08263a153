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

  /// A shop for records, in the words of MariaDB and MySQL.
  private static final String[] SHOP = {
    "CREATE TABLE maker (maker_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120) NOT NULL,"
        + " UNIQUE KEY by_name (name)) AUTO_INCREMENT = 400",
    "CREATE TABLE kind (kind_id smallint AUTO_INCREMENT PRIMARY KEY COMMENT 'jazz, rock',"
        + " name varchar(120) DEFAULT 'it''s \\\\ new')",
    "CREATE TABLE medium (medium_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120),"
        + " state enum('new','old') NOT NULL DEFAULT 'new')",
    "CREATE TABLE record (record_id bigint AUTO_INCREMENT PRIMARY KEY, title varchar(160) NOT NULL,"
        + " maker_id int NOT NULL, `Year Made` smallint DEFAULT -1, KEY by_title (title, maker_id),"
        + " CONSTRAINT record_maker FOREIGN KEY (maker_id) REFERENCES maker (maker_id)"
        + " ON DELETE CASCADE ON UPDATE CASCADE)",
    "CREATE TABLE track (track_id int AUTO_INCREMENT PRIMARY KEY, name varchar(200) NOT NULL,"
        + " record_id bigint, medium_id int NOT NULL, kind_id smallint, price decimal(10,2) NOT"
        + " NULL DEFAULT 0.99, CONSTRAINT track_price CHECK (price >= 0 AND price < 100), KEY"
        + " track_record (record_id), CONSTRAINT track_of_record FOREIGN KEY (record_id) REFERENCES"
        + " record (record_id) ON DELETE SET NULL ON UPDATE NO ACTION, CONSTRAINT track_medium"
        + " FOREIGN KEY (medium_id) REFERENCES medium (medium_id), CONSTRAINT track_kind FOREIGN"
        + " KEY (kind_id) REFERENCES kind (kind_id))",
    "CREATE TABLE clerk (clerk_id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL,"
        + " boss int, since date DEFAULT '2001-02-03', active bit(1) NOT NULL DEFAULT b'1',"
        + " CONSTRAINT clerk_boss FOREIGN KEY (boss) REFERENCES clerk (clerk_id))",
    "CREATE TABLE client (client_id int AUTO_INCREMENT PRIMARY KEY, mail varchar(60) NOT NULL,"
        + " clerk_id int, country varchar(2) DEFAULT 'CH', UNIQUE KEY client_mail (mail),"
        + " CONSTRAINT client_clerk FOREIGN KEY (clerk_id) REFERENCES clerk (clerk_id)"
        + " ON DELETE SET NULL)",
    "CREATE TABLE bill (bill_id int AUTO_INCREMENT PRIMARY KEY, client_id int NOT NULL,"
        + " made datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), total decimal(10,2),"
        + " KEY bill_made (client_id, made), CONSTRAINT bill_client FOREIGN KEY (client_id)"
        + " REFERENCES client (client_id))",
    "CREATE TABLE line (line_id int AUTO_INCREMENT PRIMARY KEY, bill_id int NOT NULL,"
        + " track_id int NOT NULL, quantity int NOT NULL DEFAULT 1, UNIQUE KEY line_once (bill_id,"
        + " track_id), CONSTRAINT line_bill FOREIGN KEY (bill_id) REFERENCES bill (bill_id)"
        + " ON DELETE CASCADE, CONSTRAINT line_track FOREIGN KEY (track_id) REFERENCES track"
        + " (track_id))",
    "CREATE TABLE playlist (playlist_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120))",
    "CREATE TABLE played (playlist_id int NOT NULL, track_id int NOT NULL, PRIMARY KEY"
        + " (playlist_id, track_id), CONSTRAINT played_list FOREIGN KEY (playlist_id) REFERENCES"
        + " playlist (playlist_id), CONSTRAINT played_track FOREIGN KEY (track_id) REFERENCES track"
        + " (track_id))",
    "INSERT INTO maker VALUES (1, 'A'), (7, 'B')",
    "INSERT INTO kind VALUES (1, 'jazz')",
    "INSERT INTO medium VALUES (1, 'vinyl', 'old')",
    "INSERT INTO record VALUES (1, 'One', 1, 1999), (2, 'Two', 7, NULL)",
    "INSERT INTO track VALUES (1, 'a', 1, 1, 1, 0.99), (2, 'b', NULL, 1, NULL, 99.5)",
    "INSERT INTO clerk VALUES (1, 'Ann', NULL, NULL, b'1'), (2, 'Bob', 1, '2020-01-01', b'0')",
    "INSERT INTO client VALUES (1, 'x@y', 2, 'DE')",
    "INSERT INTO bill VALUES (1, 1, '2024-01-01 00:00:00', 1.98)",
    "INSERT INTO line VALUES (1, 1, 1, 1), (2, 1, 2, 1)",
    "INSERT INTO playlist VALUES (1, 'all')",
    "INSERT INTO played VALUES (1, 1), (1, 2)",
  };

  private static final String OF_MYSQL =
      """
      SELECT concat_ws(' ', 'index', table_name, index_name, non_unique,
          group_concat(column_name ORDER BY seq_in_index)) AS what
        FROM information_schema.statistics WHERE table_schema = database()
        GROUP BY table_name, index_name, non_unique
      UNION ALL SELECT concat_ws(' ', 'foreign key', k.table_name, k.constraint_name,
          k.column_name, k.referenced_table_name, k.referenced_column_name, r.delete_rule,
          r.update_rule)
        FROM information_schema.key_column_usage k
        JOIN information_schema.referential_constraints r
          ON r.constraint_schema = k.table_schema AND r.constraint_name = k.constraint_name
        WHERE k.table_schema = database() AND k.referenced_table_name IS NOT NULL
      UNION ALL SELECT concat_ws(' ', 'column', table_name, column_name, is_nullable, extra,
          column_default) FROM information_schema.columns WHERE table_schema = database()
      UNION ALL SELECT concat_ws(' ', 'next', table_name, auto_increment)
        FROM information_schema.tables WHERE table_schema = database()
      UNION ALL SELECT concat_ws(' ', 'comment', table_name, column_name, column_comment)
        FROM information_schema.columns WHERE table_schema = database() AND column_comment <> ''
      ORDER BY 1
      """;

  private static final String OF_POSTGRES =
      """
      SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname,
          pg_get_constraintdef(oid)) AS what
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT regexp_replace(pg_get_indexdef(indexrelid), 'public[.]', '', 'g')
        FROM pg_index JOIN pg_class c ON c.oid = indrelid
          AND relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', 'default', adrelid::regclass, attname,
          pg_get_expr(adbin, adrelid))
        FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      UNION ALL SELECT concat_ws(' ', 'next', schemaname || '.' || sequencename,
          coalesce(last_value + 1, start_value)) FROM pg_sequences
      ORDER BY 1
      """;

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
    return rows(server.connect(database), OF_MYSQL).stream()
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
    server.runIn(from, SHOP);
    Cli.Result there = copy(url(server, from), url(between));
    assertThat(there.code()).as(there.err()).isZero();
    assertThat(there.err()).doesNotContain("Not copied");
    assertThat(rows(postgres.connect(between), OF_POSTGRES))
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
    server("mariadb").runIn(from, SHOP);
    Cli.Result result = copy(url(server("mariadb"), from), url(server("mysql"), to));
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(keys(server("mysql"), to)).isEqualTo(keys(server("mariadb"), from));
  }

  private static List<String> keys(MySqlFamilyServer server, String database) throws SQLException {
    return rows(server.connect(database), OF_MYSQL).stream()
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

  private static final String LOSE =
      """
      DO $$ DECLARE each record; BEGIN
        FOR each IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'c') LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.t, each.conname);
        END LOOP;
        FOR each IN SELECT attrelid::regclass AS t, attname FROM pg_attribute
          WHERE attidentity <> '' LOOP
          EXECUTE format('ALTER TABLE %s ALTER %I DROP IDENTITY', each.t, each.attname);
        END LOOP;
        DROP INDEX by_title;
      END $$
      """;

  /// Whatever of it was made already.
  @Test
  void aKilledJobThatIsResumedMakesWhatItOwes() throws SQLException, IOException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, SHOP);
    assertThat(copy(url(server, from), url(to)).code()).isZero();
    List<String> made = rows(postgres.connect(to), OF_POSTGRES);
    postgres.execute(to, LOSE);
    assertThat(rows(postgres.connect(to), OF_POSTGRES)).isNotEqualTo(made);
    forgetPayments();
    Cli.Result resumed = copy(url(server, from), url(to), "--resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(rows(postgres.connect(to), OF_POSTGRES)).isEqualTo(made);
    assertThat(rows(postgres.connect(to), "SELECT count(*) FROM track")).containsExactly("2");
  }

  /// A table that its copy made holds rows of nobody else, and still is no other's to fill.
  @Test
  void aTableThatIsThereKeepsItsDefinition() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, "CREATE TABLE a (id int PRIMARY KEY AUTO_INCREMENT, x int, KEY a_x (x))");
    postgres.execute(to, "CREATE TABLE a (id int, x int)");
    assertThat(copy(url(server, from), url(to)).code()).isZero();
    assertThat(rows(postgres.connect(to), OF_POSTGRES)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "none"})
  void columnsAndKeysAloneComeIfTheUserWantsIt(String definitions) throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, SHOP);
    Cli.Result result = copy(url(server, from), url(to), "--definitions", definitions);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(rows(postgres.connect(to), OF_POSTGRES))
        .allMatch(row -> row.contains("_pkey"))
        .hasSize(22);
  }

  @Test
  void aPlanShowsTheStatementsAndChangesNothing() throws SQLException {
    MySqlFamilyServer server = server("mariadb");
    String from = server.newDatabase();
    String to = postgres.newDatabase();
    server.runIn(from, SHOP);
    Cli.Result plan = copy(url(server, from), url(to), "--dry-run");
    assertThat(plan.out() + plan.err())
        .contains(
            "CREATE INDEX \"by_title\" ON \"public\".\"record\" (\"title\", \"maker_id\")",
            "-- after the rows of all tables",
            "FOREIGN KEY (\"boss\") REFERENCES \"public\".\"clerk\" (\"clerk_id\")");
    assertThat(rows(postgres.connect(to), OF_POSTGRES)).isEmpty();
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
        "CREATE VIEW seen AS SELECT 1 AS one");
    Cli.Result result = copy(url(from), url(server, to), "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .contains(
            "1 check: a_kind_check of public.a",
            "2 indexes: a_lower (of an expression) of public.a, a_part (with a condition) of"
                + " public.a",
            "1 sequence: public.alone",
            "1 view: public.seen");
    assertThat(rows(server.connect(to), OF_MYSQL))
        .contains(
            "column a at YES  current_timestamp(6)",
            "column a day YES  curdate()",
            "column a kind NO  'x'",
            "column a ok YES  b'1'",
            "index a a_kind 1 kind,id",
            "index a a_tag 0 tag",
            "next a 2");
    assertThat(
            rows(
                server.connect(to),
                "SELECT check_clause FROM information_schema.check_constraints WHERE"
                    + " constraint_schema = database() ORDER BY 1"))
        .containsExactly("`m` in ('calm','wild')", "`n` >= 0 and `n` <= 10", "`tag` in ('p','q')");
  }
}
