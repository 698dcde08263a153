package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.value.DatabaseCharset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Databases whose character set is neither AL32UTF8 nor one of single bytes.
class OracleCharsetTest {

  private static final Map<DatabaseCharset, OracleServer> SERVERS =
      new EnumMap<>(DatabaseCharset.class);

  private static final String SMILE = Character.toString(0x1F600);
  private static final Schema TEXTS = Schema.of(List.of(Column.of("V", Type.Text.UNLIMITED)));

  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(OracleServer::close);
  }

  private static TestTables tables(DatabaseCharset charset) {
    return new TestTables(SERVERS.computeIfAbsent(charset, OracleServer::start));
  }

  private Copying copying(TestTables tables, String method, List<String> texts) {
    memory.put("rows", TEXTS, texts.stream().map(text -> Row.of(text)).toList());
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            oracle,
            tables.endpoint("table", "texts", "method", method))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(9), null));
  }

  private List<Object> read(TestTables tables) {
    memory.put("back", TEXTS, List.of());
    Copying.of(oracle, tables.endpoint("table", "texts"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    List<Object> texts = new ArrayList<>();
    memory.rows("back").forEach(row -> texts.add(row.value(0)));
    return texts;
  }

  @ParameterizedTest
  @EnumSource(names = {"UTF8", "AL32UTF8"})
  void unicodeHasAllLetters(DatabaseCharset charset) {
    TestTables tables = tables(charset);
    tables.run("CREATE TABLE texts (v VARCHAR2(100))");
    List<String> texts = List.of("plain", "äöü", "日本語", SMILE);
    copying(tables, "normal", texts).run();
    assertThat(read(tables)).containsExactlyInAnyOrderElementsOf(texts);
  }

  /// The server itself would make an a of an ā, and a question mark of a smile.
  @ParameterizedTest
  @CsvSource({
    "WE8MSWIN1252, normal",
    "WE8MSWIN1252, native",
    "WE8ISO8859P1, direct",
    "US7ASCII, normal"
  })
  void whatASetLacksIsABadRecord(DatabaseCharset charset, String method) {
    TestTables tables = tables(charset);
    tables.run("CREATE TABLE texts (v VARCHAR2(100))");
    List<String> has =
        charset == DatabaseCharset.US7ASCII ? List.of("plain", "~") : List.of("plain", "äöü");
    List<String> texts = new ArrayList<>(has);
    texts.addAll(List.of("ā", "日本語", SMILE));
    copying(tables, method, texts).run();
    assertThat(read(tables)).containsExactlyInAnyOrderElementsOf(has);
    assertThatThrownBy(copying(tables, method, List.of("ā")).rejects(Job.RejectPolicy.NONE)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "has letters that the database's character set " + charset + " lacks");
  }

  @Test
  void streamsSendNoTextsInOldUnicode() {
    TestTables tables = tables(DatabaseCharset.UTF8);
    tables.run("CREATE TABLE texts (v VARCHAR2(100))");
    assertThatThrownBy(copying(tables, "native", List.of("語"))::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("sends no texts in the database's character set, UTF8");
    copying(tables, "auto", List.of("語")).run();
    assertThat(read(tables)).containsExactly("語");
  }

  /// The driver logs on to no such database without the library of all character sets.
  @Test
  void aSetThatTheDriverDoesNotKnowIsNamedWithWhatIsMissing() {
    Copying copying = copying(tables(DatabaseCharset.JA16SJIS), "normal", List.of("語"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("does not know the database's character set")
        .hasMessageContaining("orai18n.jar");
  }
}
