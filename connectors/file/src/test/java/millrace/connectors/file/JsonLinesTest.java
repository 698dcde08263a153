package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.ColumnRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A line of JSON Lines is one document, whoever takes it; else it is a bad record.
class JsonLinesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":}",
        "not json",
        "NaN",
        "{\"a\":1",
        "{\"a\":1} x",
        "{\"a\":1}{}",
        "01",
        "+1",
        ".5",
        "1.",
        "\"\\x\"",
        "\"\\u12\"",
        "{'a':1}",
        "{\"a\":\"\t\"}",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "tru",
        "\"",
        "]",
        "// 1",
        "-",
        "1e",
        "\\N"
      })
  void aLineThatIsNoDocumentIsABadRecordInEveryForm(String line) {
    String good = "{\"n\":1}";
    byte[] text =
        ("\uFEFF" + good + "\n \n" + line + "\n\t\r\n[2] ").getBytes(StandardCharsets.UTF_8);
    Path file = Trial.file(folder, "in.jsonl", text);
    List<ColumnRequest> requests =
        List.of(
            new ColumnRequest.Typed(),
            new ColumnRequest.Untyped(),
            new ColumnRequest.Like(Schema.of(List.of(Column.of("doc", new Type.Text(9)))), true));
    for (ColumnRequest request : requests) {
      List<Trial.Read> read = Trial.of(file, Map.of()).wanted(request).rejects().read();
      assertThat(read).extracting(Trial.Read::fields).contains(List.of(good), List.of("[2] "));
      Trial.Read bad =
          read.stream().filter(each -> each.reject() != null).findFirst().orElseThrow();
      assertThat(bad.line()).isEqualTo(3);
      assertThat(bad.row()).isEqualTo(3);
      assertThat(bad.offset()).isEqualTo(13);
      assertThat(Objects.requireNonNull(bad.reject()).reason()).contains(line + " is no JSON (");
      assertThat(read).hasSize(3);
    }
    assertThat(Trial.of(file, Map.of()).rejects().frames()).asString().isEqualTo(good + "\n[2] \n");
    assertThatThrownBy(() -> Trial.of(file, Map.of()).frames())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("it is no JSON object: " + line);
  }

  @Test
  void bytesThatAreNoTextAreNoDocument() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.write("{}\n\"".getBytes(StandardCharsets.UTF_8));
    text.write(0xFF);
    text.write("\"\n[]\n".getBytes(StandardCharsets.UTF_8));
    Path file = Trial.file(folder, "in.jsonl", text.toByteArray());
    assertThat(Trial.of(file, Map.of()).rejects().read()).extracting(Trial.Read::line).contains(2L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Shift_JIS", "ISO-8859-15", "UTF-16LE"})
  void documentsAreLookedAtInEveryCharset(String charset) {
    String text = charset.startsWith("Sh") ? "{\"表\":\"表\"}" : "{\"é\":\"é\"}";
    byte[] bytes =
        (text + "\n{\"é\n \n" + text + "\n")
            .replace(charset.startsWith("Sh") ? "{\"é\n" : "", "")
            .getBytes(Charset.forName(charset));
    Path file = Trial.file(folder, "in.jsonl", bytes);
    Trial trial = Trial.of(file, Map.of("charset", charset)).rejects();
    assertThat(trial.rows()).containsExactly(List.of(text), List.of(text));
  }

  @Test
  void aMissingDocumentMayBeSpelled() {
    Path file = Trial.file(folder, "in.jsonl", "{}\n\\N\n1\n");
    assertThat(Trial.of(file, Map.of("null-string", "\\N")).rows()).hasSize(3);
    assertThat(Trial.of(file, Map.of("null-string", "\\N")).frames()).asString().contains("\\N");
  }

  /// `␊` stands for a line end.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[␊{\"a\":1},␊{\"a\":2}␊]␊      | is one JSON array  | jq -c '.[]'",
        "[{\"a\":1},␊ {\"a\":2}]        | is one JSON array  | jq -c '.[]'",
        "[␊  {␊    \"a\": 1␊  }␊         | is one JSON array  | jq -c '.[]'",
        "[{\"a\":1},{\"a\":2}]␊         | is one JSON array  | jq -c '.[]'",
        "␊ [ { \"a\":1}]                | is one JSON array  | jq -c '.[]'",
        "[1,␊2]                         | is one JSON array  | jq -c '.[]'",
        "{␊  \"a\": 1␊}␊                | is pretty-printed JSON | jq -c .",
        "{ \"a\": 1,␊  \"b\": [␊2]}␊{}␊ | is pretty-printed JSON | jq -c .",
        "{␊␊\"a\":␊{}}␊{␊ \"a\": 2␊}    | is pretty-printed JSON | jq -c .",
      })
  void aFileWithoutADocumentALineIsRefusedWithTheCommandThatHelps(
      String text, String word, String command) throws IOException {
    byte[] bytes = ("\uFEFF" + text.replace('␊', '\n')).getBytes(StandardCharsets.UTF_8);
    Path file = Trial.file(folder, "docs.jsonl", bytes);
    Path lines = Trial.file(folder, "docs.json", bytes);
    Path packed = folder.resolve("docs.jsonl.gz");
    try (GZIPOutputStream gzip = new GZIPOutputStream(Files.newOutputStream(packed))) {
      gzip.write(bytes);
    }
    Map<String, String> jsonl = Map.of("format", "jsonl");
    assertRefused(Trial.of(file, Map.of()), word, command + " " + file + " > docs-lines.jsonl");
    assertRefused(Trial.of(lines, jsonl), word, command + " " + lines + " > docs.jsonl");
    assertRefused(Trial.of(packed, jsonl), word, command + " > docs-lines.jsonl");
    assertRefused(Trial.of("-", jsonl).standardInput(bytes), word, command + " > documents.jsonl");
  }

  private static void assertRefused(Trial trial, String word, String command) {
    assertThatThrownBy(trial::schema)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining(word);
              assertThat(fault.advice()).contains(":\n    " + command);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1\n{\"a\":2}\n",
        "{\"a\":\"x\n\"}\n{}\n",
        "[1,2\n[3]\n",
        "{\n",
        "{}\n{\n\"a\":1\n}\n",
        "[1]\n",
        "[[1],[2]]\n",
        "[{\"a\":1}]\n[{\"a\":2}]\n",
        "[]\n",
        "x\n",
        "1\n",
        "\n \n"
      })
  void oneLineThatIsCutIsABadRecordAndAnArrayMayBeADocument(String text) {
    Path file = Trial.file(folder, "in.jsonl", text);
    long documents =
        text.lines().filter(line -> line.matches("\\{\\}|\\{\"a\":2\\}|1|\\[.*\\]")).count();
    assertThat(Trial.of(file, Map.of()).rejects().rows()).hasSize((int) documents);
  }

  @Test
  void aLargeFileOverSeveralLinesIsRecognisedByItsBeginning() {
    String text = "{\n\"a\": [" + "1,\n".repeat(1 << 20) + "2]}\n";
    assertThatThrownBy(() -> Trial.of(Trial.file(folder, "in.jsonl", text), Map.of()).schema())
        .hasMessageContaining("is pretty-printed JSON");
  }

  /// What a column of documents takes from other files.
  @Test
  void aFieldOfAJsonColumnHasToBeADocument() {
    Path file = Trial.file(folder, "in.csv", "id,d\n1,{}\n2,{\"\"a\"\":}\n3,not json\n4,\n5,[1]\n");
    assertThat(Trial.of(file, Map.of("columns", "d:json")).rejects().rows()).hasSize(3);
    Schema like =
        Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("d", new Type.Json())));
    List<Trial.Read> read =
        Trial.of(file, Map.of()).wanted(new ColumnRequest.Like(like, false)).rejects().read();
    assertThat(read)
        .filteredOn(each -> each.reject() != null)
        .extracting(Trial.Read::line)
        .containsExactly(3L, 4L);
  }
}
