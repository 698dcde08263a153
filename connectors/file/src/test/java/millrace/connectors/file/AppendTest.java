package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.StreamFeed;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is added to a file of text is spelled as the file is, or refused; files that are compressed
/// are no exception.
final class AppendTest {

  private static final List<List<@Nullable String>> ROW = List.of(List.of("9", "é"));
  private static final List<List<@Nullable String>> DOCUMENT = List.of(List.of("{\"é\":9}"));

  @TempDir private Path folder;

  private static String spelled(String text) {
    return text.replace("\\n", "\n").replace("\\r", "\r").replace("\\ufeff", "\uFEFF");
  }

  private static Map<String, String> options(@Nullable String text) {
    Map<String, String> options = new HashMap<>();
    for (String option : text == null ? List.<String>of() : List.of(text.split("&", -1))) {
      options.put(option.replaceAll("=.*", ""), option.replaceAll(".*=", ""));
    }
    return options;
  }

  private Path file(String name, byte[] text) throws IOException {
    Path file = folder.resolve(name);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    switch (Compression.ofName(name)) {
      case GZIP -> {
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
          gzip.write(text);
        }
      }
      case ZSTD -> bytes.write(Zstd.compress(text));
      case NONE, ZIP, BZIP2, XZ -> bytes.write(text);
    }
    return Files.write(file, bytes.toByteArray());
  }

  private static byte[] content(Path file) {
    Compression compression = Compression.ofName(file.toString());
    try (StreamFeed feed = new StreamFeed("", Inputs.open(file), compression)) {
      byte[] bytes = new byte[1 << 16];
      return Arrays.copyOf(bytes, feed.fill(bytes, 0, bytes.length));
    }
  }

  private static void append(Path file, Map<String, String> options) {
    boolean areDocuments = file.toString().contains(".jsonl");
    Trial.of(file, options)
        .mode(Mode.APPEND)
        .write(areDocuments ? DOCUMENT : ROW, areDocuments ? 1 : 2);
  }

  /// Its charset, what it holds, options, and what is added.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          UTF-8        | a,b\\n1,x\\n             |                          | 9,é\\n
          UTF-8        | a,b\\n1,é                |                          | \\n9,é\\n
          UTF-8        | \\ufeffa,b\\r\\n1,x\\r\\n  |                          | 9,é\\r\\n
          UTF-8        | a,b\\r\\n1,x\\r\\n        | newline=CRLF             | 9,é\\r\\n
          UTF-8        | a,b\\r\\n1,x             |                          | \\r\\n9,é\\r\\n
          UTF-8        | a,b\\r1,x\\r             |                          | 9,é\\r
          UTF-8        | a,b\\r                  | newline=CR               | 9,é\\r
          UTF-8        | a,b\\n1,x\\r             | newline=LF               | \\n9,é\\n
          UTF-8        | a,b\\r\\n1,x\\n           | newline=LF               | 9,é\\n
          UTF-8        | a,b\\n1,"x\\r\\ny"\\n      |                          | 9,é\\n
          UTF-8        | a,b\\n1,"x\\ny"          |                          | \\n9,é\\n
          UTF-8        | a,b\\n1,5" nail\\n       |                          | 9,é\\n
          UTF-8        | a,b\\n"1,x\\n            | quote=none               | 9,é\\n
          UTF-8        | sep=;\\na;b\\n1;x\\n      |                          | 9;é\\n
          UTF-8        | a,b                    |                          | \\n9,é\\n
          UTF-8        | 1,x                    | header=false             | \\n9,é\\n
          ISO-8859-1   | a,b\\n1,é\\n             | charset=ISO-8859-1       | 9,é\\n
          ISO-8859-1   | a,b\\r\\n1,é             | charset=windows-1252     | \\r\\n9,é\\r\\n
          UTF-16LE     | \\ufeffa,b\\n1,表\\n      |                          | 9,é\\n
          UTF-16LE     | \\ufeffa,b\\r\\n1,表       |                          | \\r\\n9,é\\r\\n
          UTF-16LE     | \\ufeffa,b\\n1,c         | charset=UTF-16           | \\n9,é\\n
          UTF-16BE     | \\ufeffa,b\\n1,x\\n       |                          | 9,é\\n
          UTF-32LE     | \\ufeffa,b\\n1,x\\n       |                          | 9,é\\n
          UTF-16LE     | a,b\\n1,x               | charset=UTF-16LE         | \\n9,é\\n
          """)
  void rowsAreSpelledAsTheFileIs(
      String charset, String text, @Nullable String options, String added) throws IOException {
    for (String name : List.of("t.csv", "t.csv.gz", "t.csv.zst")) {
      byte[] before = spelled(text).getBytes(Charset.forName(charset));
      Path file = file(name, before);
      append(file, options(options));
      assertThat(content(file))
          .as(name)
          .isEqualTo((spelled(text) + spelled(added)).getBytes(Charset.forName(charset)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          t.csv   | ISO-8859-1 | a,b\\n1,é\\n       |                    | byte 6: byte 0xE9 is no UTF-8
          t.csv   | UTF-8      | a,b\\n1,é\\n       | charset=ISO-8859-1 | is written in UTF-8, but charset=ISO-8859-1
          t.csv   | UTF-8      | \\ufeffa,b\\n1,x\\n | charset=Cp1252     | byte order mark of UTF-8, but charset=windows-1252
          t.csv   | UTF-16LE   | \\ufeffa,b\\n1,x\\n | charset=UTF-16BE   | byte order mark of UTF-16LE, but charset=UTF-16BE
          t.csv   | UTF-16LE   | a,b\\n1,x\\n       |                    | has bytes of zero, as UTF-16
          t.csv   | UTF-8      | a,b\\n1,x\\n       | charset=UTF-16     | is written in UTF-8, but charset=UTF-16BE
          t.csv   | UTF-8      | a,b\\r\\n1,x\\r\\n   | newline=LF         | has CRLF as line ends, but newline=LF
          t.csv   | UTF-8      | a,b\\n1,x\\n       | newline=CRLF       | has LF as line ends, but newline=CRLF
          t.csv   | UTF-8      | a,b\\r\\n1,x\\n     |                    | has both LF and CRLF as line ends
          t.csv   | UTF-8      | a,b\\n1,"x\\n2,y\\n |                    | ends inside quotes: the record that begins on line 2
          t.csv   | UTF-8      | a,b\\n1,x\\n2      |                    | ends in the middle of a record: line 3
          t.csv   | UTF-8      | a,b\\r\\n1,x\\r     |                    | ends with a carriage return alone on line 2
          t.csv   | UTF-8      | a,b\\n1,x\\r       |                    | ends with a carriage return alone on line 2
          t.csv   | UTF-16LE   | \\ufeffa,b\\n1,x\\r |                    | ends with a carriage return alone on line 2
          t.csv   | UTF-8      | b,a\\n1,x\\n       | header=false       | names of the columns in another order: b, a
          t.csv   | UTF-8      | \\ufeff          |                    | has a byte order mark and nothing else
          t.jsonl | UTF-8      | [{"a":1},\\n{}]\\n |                    | holds an array of documents
          t.jsonl | UTF-8      | [{},{}]         |                    | holds an array of documents
          t.jsonl | UTF-8      | {}\\n{"a":       |                    | line 2: the file ends in the middle of a document
          t.jsonl | UTF-8      | {\\n"a":1\\n}\\n    |                    | line 1: the line is no JSON document
          t.jsonl | UTF-8      | {}\\r\\n{}\\n       |                    | has both LF and CRLF as line ends
          t.jsonl | ISO-8859-1 | {"é":1}\\n       |                    | byte 2: byte 0xE9 is no UTF-8
          """)
  void whatCouldNotBeReadAfterwardsIsRefused(
      String name, String charset, String text, @Nullable String options, String why)
      throws IOException {
    for (String ending : List.of("", ".gz", ".zst")) {
      byte[] before = spelled(text).getBytes(Charset.forName(charset));
      Path file = file(name + ending, before);
      assertThatThrownBy(() -> append(file, options(options)))
          .as(ending)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(why);
      assertThat(content(file)).isEqualTo(before);
    }
  }

  @Test
  void documentsAreAddedToWholeOnes() throws IOException {
    for (String text : List.of("{}\n", "{}", "[1]\n[2]\n", "{}\r\n", "{}\n\n")) {
      Path file = file("t.jsonl", text.getBytes(StandardCharsets.UTF_8));
      append(file, Map.of());
      String lineEnd = text.endsWith("\r\n") ? "\r\n" : "\n";
      assertThat(file).hasContent(text + (text.endsWith("\n") ? "" : "\n") + "{\"é\":9}" + lineEnd);
    }
  }

  /// A record may be longer than what is read at once, and so may a file.
  @Test
  void theEndOfALongFileIsFound() throws IOException {
    String rows = ("1,\"" + "x\n".repeat(700_000) + "\"\n").repeat(3) + "2,é\n".repeat(500_000);
    String text = "a,b\n" + rows;
    for (String charset : List.of("UTF-8", "UTF-16LE")) {
      Path whole = file("t.csv", ("\uFEFF" + text).getBytes(Charset.forName(charset)));
      append(whole, Map.of());
      assertThat(Files.readString(whole, Charset.forName(charset)))
          .isEqualTo("\uFEFF" + text + "9,é\n");
      Path open = file("t.csv", ("\uFEFF" + text + "3,\"").getBytes(Charset.forName(charset)));
      assertThatThrownBy(() -> append(open, Map.of()))
          .hasMessageContaining("the record that begins on line 2600005 has a quote");
    }
  }
}
