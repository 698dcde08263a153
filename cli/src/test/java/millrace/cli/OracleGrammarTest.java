package millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.cli.command.OracleCheckCommand;
import millrace.connectors.oracle.OracleConnector;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.engine.Account;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.apache.shardingsphere.sql.parser.autogen.OracleStatementLexer;
import org.apache.shardingsphere.sql.parser.autogen.OracleStatementParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is sent to Oracle is SQL of Oracle's, by a grammar that nobody here wrote.
class OracleGrammarTest {

  private static final String METERS = "generate:meters?rows=300";

  /// What Oracle knows and the grammar does not. The rest of such a statement is parsed.
  ///
  /// @param spelling what is sent
  /// @param instead what the grammar takes in its place
  /// @param reason why it is Oracle's all the same
  private record GrammarLack(Pattern spelling, String instead, String reason) {

    static GrammarLack of(String spelling, String instead, String reason) {
      return new GrammarLack(Pattern.compile(spelling), instead, reason);
    }
  }

  private static final List<GrammarLack> LACKS =
      List.of(
          GrammarLack.of(
              ":\\d+",
              "?",
              "the driver numbers the markers of binds; the grammar has those of JDBC alone"),
          GrammarLack.of(
              "WHERE parameter =",
              "WHERE \"PARAMETER\" =",
              "a column of NLS_DATABASE_PARAMETERS; Oracle reserves no such word, the grammar"
                  + " does"),
          GrammarLack.of(
              "INTERVAL YEAR\\(\\d\\)",
              "INTERVAL YEAR",
              "the grammar has precisions of intervals in expressions, but not in types"),
          GrammarLack.of(
              "INTERVAL DAY\\(\\d\\) TO SECOND\\(\\d\\)",
              "INTERVAL DAY TO SECOND",
              "the grammar has precisions of intervals in expressions, but not in types"),
          GrammarLack.of("\\bv1\\b", "w1", "a name like any other; to the grammar it is a keyword"),
          GrammarLack.of(
              "FROM_VECTOR\\((\"[^\"]*\") RETURNING CLOB\\)",
              "FROM_VECTOR($1)",
              "the grammar is older than vectors; to it this is a function like any other"),
          GrammarLack.of(
              "\\bVECTOR\\(\\d+, FLOAT32\\)", "CLOB", "the grammar is older than vectors"),
          GrammarLack.of(
              "MODIFY \\((\"[^\"]*\") GENERATED",
              "ADD ($1 NUMBER GENERATED",
              "the grammar has identities of columns that are added, but not that are modified"),
          GrammarLack.of(
              "CREATE TRIGGER (\\S+) .*",
              "DROP TRIGGER $1",
              "the grammar has neither the condition of a trigger nor names such as :NEW"),
          GrammarLack.of(
              "(?s)CREATE (PACKAGE BODY|PACKAGE) (\\S+) .*",
              "DROP $1 $2",
              "the grammar has no PL/SQL; this is its users' own"),
          GrammarLack.of(
              "DBMS_LOB\\.GETLENGTH",
              "DBMS_LOB.SUBSTR",
              "the grammar takes functions of packages only if SQL has one of their name"));

  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELEC 1 FROM dual",
        "SELECT a FROM t WHERE",
        "SELECT a FROM t LIMIT 1",
        "INSERT INTO t (a) VALUES",
        "CREATE TABLE t (a NUMBER(9), )",
        "DROP TABLE IF EXIST t",
        "ALTER SESSION TIME_ZONE = '+00:00'"
      })
  void theGrammarRefusesWhatIsNone(String sql) {
    assertThat(error(sql)).isNotNull();
  }

  @Test
  void allThatIsSentIsOracles() throws SQLException, IOException {
    Set<String> sent = new LinkedHashSet<>();
    try (OracleServer server = OracleServer.start()) {
      declare(server);
      writes(server);
      reads(server);
      // What the checks of a user's server send, in all methods, modes and types.
      succeeds(new Cli(home).run("oracle-check", end(server, "x"), "--rows", "100"));
      sent.addAll(server.log().statements());
      theScriptHasThem(OracleScript.of(server.user(), server.log().events()));
      theOldestReleaseHasWhatIsAsked(server, sent);
    }
    try (OracleServer server = OracleServer.start(OracleRelease.R19)) {
      copy(server, METERS, "normal", "--mode", "create");
      sent.addAll(server.log().statements());
    }
    assertThat(kinds(sent))
        .contains(
            "ALTER",
            "BEGIN",
            "CREATE",
            "DELETE",
            "DROP",
            "INSERT",
            "LOCK",
            "MERGE",
            "ROLLBACK",
            "SAVEPOINT",
            "SELECT",
            "TRUNCATE",
            "UPDATE");
    assertThat(sent)
        .anyMatch(sql -> sql.contains("AS OF SCN"))
        .anyMatch(sql -> sql.matches("(?s).*WHERE.*ROWID.*"))
        .anyMatch(sql -> sql.contains("APPEND_VALUES"))
        .anyMatch(sql -> sql.contains("v$sesstat"))
        .anyMatch(sql -> sql.contains("RENAME TO"));
    Set<GrammarLack> needed = new LinkedHashSet<>();
    List<String> wrong = new ArrayList<>();
    for (String sql : sent) {
      String error = error(instead(sql, needed));
      if (error != null) {
        wrong.add(error + ": " + sql);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(needed).as("what is lacked, and something needs").containsAll(LACKS);
  }

  /// `MILLRACE_ORACLE_SCRIPT`, if it is set, names the file to which the script is written anew.
  private static void theScriptHasThem(String script) throws IOException {
    String file = System.getenv("MILLRACE_ORACLE_SCRIPT");
    if (file != null) {
      Files.writeString(Path.of(file), script);
    }
    try (InputStream kept =
        Objects.requireNonNull(OracleCheckCommand.class.getResourceAsStream("oracle-check.sql"))) {
      Set<String> known = OracleScript.kinds(new String(kept.readAllBytes(), UTF_8));
      Set<String> sent = OracleScript.kinds(script);
      // What goes by time: whoever waits is asked for what, and locks are looked after.
      Pattern byTime = Pattern.compile("v\\$session|MILLRACE_LOCK|SYSTEM_CHANGE_NUMBER");
      known.removeIf(sql -> byTime.matcher(sql).find());
      sent.removeIf(sql -> byTime.matcher(sql).find());
      assertThat(known).as("statements of oracle-check.sql").containsAll(sent);
      known.removeAll(sent);
      assertThat(known).as("what is in oracle-check.sql and not sent any more").isEmpty();
    }
  }

  private static void theOldestReleaseHasWhatIsAsked(OracleServer server, Set<String> sent)
      throws SQLException, IOException {
    OracleDictionary dictionary = OracleDictionary.read();
    try (Connection standIn =
        DriverManager.getConnection(server.url(), server.user(), server.password())) {
      assertThat(dictionary.complaints(sent, standIn)).isEmpty();
      assertThat(
              dictionary.complaints(
                  List.of("SELECT external FROM all_tables", "SELECT 1 FROM dba_nothing"), standIn))
          .as("that it notices what is too new, or not known")
          .satisfiesExactly(
              one -> assertThat(one).startsWith("ALL_TABLES.EXTERNAL is too new"),
              other -> assertThat(other).startsWith("DBA_NOTHING is in no list"));
    }
  }

  private static Set<String> kinds(Set<String> statements) {
    Set<String> kinds = new LinkedHashSet<>();
    statements.forEach(sql -> kinds.add(sql.replaceFirst("(?s)\\W.*", "")));
    return kinds;
  }

  /// A statement with what the grammar lacks in its own spelling.
  private static String instead(String sql, Set<GrammarLack> needed) {
    String spelt = sql;
    for (GrammarLack lack : LACKS) {
      String other = lack.spelling().matcher(spelt).replaceAll(lack.instead());
      if (!other.equals(spelt)) {
        needed.add(lack);
        spelt = other;
      }
    }
    return spelt;
  }

  /// What the grammar says against a statement; null if nothing.
  private static @Nullable String error(String sql) {
    return error(sql, PredictionMode.SLL);
  }

  /// @param mode SLL is fast, and may refuse what LL, which decides, takes
  private static @Nullable String error(String sql, PredictionMode mode) {
    List<String> errors = new ArrayList<>();
    BaseErrorListener listener =
        new BaseErrorListener() {
          @Override
          public void syntaxError(
              Recognizer<?, ?> recognizer,
              @Nullable Object symbol,
              int line,
              int column,
              String message,
              @Nullable RecognitionException e) {
            errors.add("line " + line + ", column " + column + ": " + message);
          }
        };
    OracleStatementLexer lexer = new OracleStatementLexer(CharStreams.fromString(sql));
    lexer.removeErrorListeners();
    lexer.addErrorListener(listener);
    OracleStatementParser parser = new OracleStatementParser(new CommonTokenStream(lexer));
    parser.removeErrorListeners();
    parser.addErrorListener(listener);
    parser.getInterpreter().setPredictionMode(mode);
    parser.execute();
    if (!errors.isEmpty() && mode == PredictionMode.SLL) {
      return error(sql, PredictionMode.LL);
    }
    return errors.isEmpty() ? null : errors.getFirst();
  }

  private static String end(OracleServer server, String table) {
    return "oracle://%s:%s@%s:%d/%s?table=%s"
        .formatted(
            server.user(),
            server.password(),
            server.host(),
            server.port(),
            server.service(),
            table);
  }

  private static void succeeds(Cli.Result result) {
    assertThat(result.code()).as(result.err()).isZero();
  }

  private void copy(OracleServer server, String from, String table, String... more) {
    List<String> words = new ArrayList<>(List.of("copy", from, end(server, table)));
    words.addAll(List.of(more));
    succeeds(new Cli(home).run(words.toArray(String[]::new)));
  }

  private static void declare(OracleServer server) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE millrace_hashed (id NUMBER(9), v VARCHAR2(10), c CLOB) PARTITION BY"
                  + " HASH (id) (PARTITION p1, PARTITION p2, PARTITION p3, PARTITION p4)",
              "INSERT INTO millrace_hashed VALUES (1, 'x', 'y')",
              "CREATE TABLE millrace_iot (id NUMBER(9) PRIMARY KEY, v VARCHAR2(10)) ORGANIZATION"
                  + " INDEX",
              "INSERT INTO millrace_iot VALUES (1, 'x')",
              "CREATE TABLE millrace_parted (id NUMBER(9)) PARTITION BY RANGE (id) (PARTITION only"
                  + " VALUES LESS THAN (MAXVALUE))",
              "CREATE INDEX parts ON millrace_parted (id) LOCAL",
              "CREATE TABLE millrace_keyed (id NUMBER(9) PRIMARY KEY, v VARCHAR2(10))",
              "CREATE TABLE millrace_longer (id NUMBER(9) PRIMARY KEY, v CLOB)",
              "INSERT INTO millrace_longer VALUES (2, 'x')",
              "CREATE VIEW millrace_seen AS SELECT * FROM millrace_hashed",
              "CREATE TABLE millrace_vectors (id NUMBER(9), v VECTOR(2, FLOAT32))",
              "INSERT INTO millrace_vectors VALUES (1, '[1, 2]')",
              "CREATE TABLE millrace_fam_parent (id NUMBER(9) GENERATED ALWAYS AS IDENTITY"
                  + " (INCREMENT BY 5) CONSTRAINT fam_key PRIMARY KEY, name VARCHAR2(9) DEFAULT 'x'"
                  + " NOT NULL, price NUMBER(9,2), twice NUMBER GENERATED ALWAYS AS (price * 2)"
                  + " VIRTUAL, CONSTRAINT fam_unique UNIQUE (name, price), CHECK (price > 0),"
                  + " CONSTRAINT fam_off CHECK (price < 9) DISABLE)",
              "INSERT INTO millrace_fam_parent (price) VALUES (1)",
              "CREATE INDEX fam_index ON millrace_fam_parent (UPPER(name), price DESC)",
              "COMMENT ON TABLE millrace_fam_parent IS 'it''s'",
              "COMMENT ON COLUMN millrace_fam_parent.price IS 'in full'",
              "CREATE TABLE millrace_fam_kid (id NUMBER(9) PRIMARY KEY, parent NUMBER(9) REFERENCES"
                  + " millrace_fam_parent ON DELETE CASCADE) ORGANIZATION INDEX",
              "CREATE SEQUENCE millrace_numbers",
              "CREATE VIEW millrace_fam_seen AS SELECT id FROM millrace_fam_kid",
              "COMMENT ON TABLE millrace_fam_seen IS 'who''s seen'",
              "COMMENT ON COLUMN millrace_fam_seen.id IS 'whose'",
              "CREATE SYNONYM millrace_kin FOR millrace_fam_kid",
              "CREATE PACKAGE millrace_code AS PROCEDURE q; END;",
              "CREATE PACKAGE BODY millrace_code AS PROCEDURE q IS BEGIN NULL; END; END;",
              "CREATE TRIGGER millrace_touched BEFORE INSERT ON millrace_fam_kid BEGIN NULL; END;",
              "ALTER TRIGGER millrace_touched DISABLE")) {
        statement.execute(sql);
      }
    }
  }

  /// What the check of a server does not do.
  private void writes(OracleServer server) throws IOException {
    copy(server, METERS, "millrace_meters", "--mode", "create");
    copy(server, METERS, "millrace_meters", "--mode", "merge", "--method", "native");
    copy(server, METERS, "millrace_meters", "--mode", "truncate", "--atomic");
    Path rows = home.resolve("rows.csv");
    Files.writeString(rows, "id,v\n1,a\n2,b\n");
    copy(server, rows.toString(), "millrace_keyed", "--mode", "append");
    Files.writeString(rows, "id,v\n2,c\n3,d\n");
    copy(server, rows.toString(), "millrace_keyed", "--mode", "merge");
    // Both rows are there already.
    rejects(server, rows, "millrace_keyed");
    // A batch with long values is undone as a whole before its bad rows are looked for.
    Files.writeString(rows, "id,v\n2," + "c".repeat(5_000) + "\n3,d\n");
    rejects(server, rows, "millrace_longer");
    Files.writeString(rows, "id\n1\n2\n");
    String part = "millrace_parted&partition=only&method=native&indexes=rebuild";
    copy(server, rows.toString(), part, "--mode", "append");
    String orders = "generate:tpch.orders?scale=0.001";
    copy(server, orders, "millrace_meters", "--mode", "replace", "--types", "source");
  }

  private void rejects(OracleServer server, Path rows, String table) {
    Cli.Result rejected =
        new Cli(home)
            .run(
                "copy",
                rows.toString(),
                end(server, table),
                "--mode",
                "append",
                "--max-rejects",
                "2",
                "--rejects",
                home.resolve("bad-" + table + ".csv").toString(),
                "--rejects-exit-code",
                "7");
    assertThat(rejected.code()).as(rejected.err()).isEqualTo(7);
  }

  private void reads(OracleServer server) {
    Cli cli = new Cli(home);
    String out = home.resolve("out.csv").toString();
    for (String table :
        List.of(
            "millrace_hashed",
            "millrace_hashed&split-by=partition",
            "millrace_iot",
            "millrace_seen",
            "millrace_vectors",
            "millrace_seen&split-by=hash",
            "millrace_iot&split-by=hash")) {
      succeeds(cli.run("copy", end(server, table), out, "--mode", "replace", "--lanes", "2"));
      succeeds(cli.run("verify", end(server, table), out));
    }
    succeeds(
        cli.run(
            "copy",
            end(server, "millrace_hashed"),
            out,
            "--mode",
            "replace",
            "--select",
            "id,v",
            "--where",
            "id > 0 and v = 'x' or v is null",
            "--limit",
            "1"));
    copy(
        server,
        "generate:tokens?rows=20000",
        "millrace_long",
        "--mode",
        "create",
        "--method",
        "native");
    inRanges(server, "millrace_long");
    server.revoke("DBMS_PARALLEL_EXECUTE");
    server.grant("DBA_EXTENTS");
    inRanges(server, "millrace_long");
    server.grant("DBMS_PARALLEL_EXECUTE");
    manyTables(server);
    String query = end(server, "x").replace("table=x", "query=SELECT id, v FROM millrace_hashed");
    succeeds(cli.run("copy", query, out, "--mode", "replace"));
  }

  /// Tables that are made in another schema with all that belongs to them.
  private void manyTables(OracleServer server) {
    server.put(new Account("OTHER", server.password(), Account.State.OPEN));
    String from = end(server, "millrace_fam_*");
    String to = end(server, "{table}").replace(server.user() + ":", "OTHER:");
    Cli.Result all = new Cli(home).run("copy", from, to, "--definitions", "all");
    // The view of a table that is not copied.
    assertThat(all.code()).as(all.err()).isEqualTo(6);
    assertThat(all.err()).contains("view OTHER.MILLRACE_SEEN:").doesNotContain("compile");
    String kid = end(server, "millrace_fam_k*");
    succeeds(new Cli(home).run("copy", kid, to.replace("{table}", "x_{table}")));
    assertThat(server.log().statements())
        .anyMatch(sql -> sql.startsWith("CREATE PACKAGE BODY \"OTHER\".\"MILLRACE_CODE\""))
        .anyMatch(sql -> sql.contains("FROM all_errors"))
        .anyMatch(sql -> sql.startsWith("CREATE TABLE \"OTHER\".\"MILLRACE_FAM_KID\""))
        .anyMatch(sql ->
            sql.contains("FOREIGN KEY (\"PARENT\") REFERENCES \"OTHER\".\"MILLRACE_FAM_PARENT\""));
  }

  /// A table that is large for the splits into which it is cut.
  private static void inRanges(OracleServer server, String table) {
    MemoryConnector memory = new MemoryConnector();
    Column token = Column.of("token", Type.Text.UNLIMITED);
    memory.put("back", Schema.of(List.of(token)), List.of());
    String place =
        "//%s@%s:%d/%s".formatted(server.user(), server.host(), server.port(), server.service());
    Secret password = Secret.of(server.password());
    Endpoint end = new Endpoint("oracle", place, Map.of("table", table), password);
    Copying.of(new OracleConnector(), end, memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(2, 64 << 10)
        .run();
  }
}
