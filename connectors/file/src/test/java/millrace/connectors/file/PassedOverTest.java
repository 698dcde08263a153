package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.output.Chunk;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines that are no records, blanks around fields, and several null strings.
class PassedOverTest {

  private static final String REPORT =
      """
      Sensor log of "hall 2
      exported;by hand

      at,a,b
      2025-03-01,1,2
      2025-03-02,3,x
      2025-03-03,5,6
      """;

  @TempDir private Path folder = Path.of("");

  private static Map<String, String> skipping(int lines) {
    return Map.of("skip-lines", Integer.toString(lines));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesBeforeTheHeaderAreSkippedAndCounted(String lineEnd) {
    Path file = Trial.file(folder, "log.csv", REPORT.replace("\n", lineEnd));
    Trial trial = Trial.of(file, skipping(3));
    assertThat(trial.schema().names()).containsExactly("at", "a", "b");
    assertThat(trial.rows())
        .containsExactly(
            List.of("2025-03-01", "1", "2"),
            List.of("2025-03-02", "3", "x"),
            List.of("2025-03-03", "5", "6"));
    Map<String, String> typed = Map.of("skip-lines", "3", "columns", "b:int64");
    assertThatThrownBy(() -> Trial.of(file, typed).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 6")
        .hasMessageContaining("row 2, column 'b': 'x' is no int64");
  }

  @Test
  void aMarkAndAnotherCharsetStandBeforeThem() {
    Path marked = Trial.file(folder, "marked.csv", "\uFEFF" + REPORT);
    assertThat(Trial.of(marked, skipping(3)).schema().names()).containsExactly("at", "a", "b");
    Path wide = Trial.file(folder, "wide.csv", REPORT.getBytes(StandardCharsets.UTF_16LE));
    Map<String, String> options = Map.of("skip-lines", "3", "charset", "UTF-16LE");
    assertThat(Trial.of(wide, options).rows()).hasSize(3);
    assertThat(Trial.of(wide, options).read().getFirst().line()).isEqualTo(5);
  }

  @Test
  void moreLinesThanTheFileHasAreSaid() {
    Path file = Trial.file(folder, "log.csv", REPORT);
    assertThatThrownBy(() -> Trial.of(file, skipping(7)).schema())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no line but those that are left out");
    assertThatThrownBy(() -> Trial.of(file, Map.of("skip-lines", "-1")).schema())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("skip-lines=-1 is no number of lines");
  }

  @Test
  void theSampleGrowsUntilTheLinesAreFound() {
    String text = "x".repeat(3 << 20) + "\n" + "id,n\n1,2\n3,4\n";
    Path file = Trial.file(folder, "long.csv", text);
    assertThat(Trial.of(file, skipping(1)).rows())
        .containsExactly(List.of("1", "2"), List.of("3", "4"));
  }

  @Test
  void theyStandInEachFileOfAFolder() {
    Trial.file(folder, "a.csv", "first of May\nid,n\n1,2\n");
    Trial.file(folder, "b.csv", "second of May\nid,n\n3,4\n");
    assertThat(Trial.of(folder, skipping(1)).rows())
        .containsExactly(List.of("1", "2"), List.of("3", "4"));
  }

  @Test
  void aFirstLineThatNamesTheDelimiterIsOneOfThem() {
    Path file = Trial.file(folder, "sep.csv", "sep=;\ntitle\nid;n\n1;2\n");
    assertThat(Trial.of(file, skipping(2)).rows()).containsExactly(List.of("1", "2"));
    Path bare = Trial.file(folder, "bare.csv", "sep=;\nid;n\n1;2\n");
    assertThat(Trial.of(bare, Map.of()).rows()).containsExactly(List.of("1", "2"));
    assertThat(Trial.of(bare, skipping(1)).rows()).containsExactly(List.of("1", "2"));
  }

  @Test
  void linesBeforeTheHeaderAreRecognisedIfTheyAreNotSaid() {
    Path file =
        Trial.file(folder, "log.csv", "station,7\nmade on,2025-03-01\n\nat,a,b\n1,2,3\n4,5,6\n");
    assertThatThrownBy(() -> Trial.of(file, Map.of()).schema())
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--skip-lines 3"))
        .hasMessageContaining("the fields begin on line 4, with 3 fields by ','");
    Path semicolons = Trial.file(folder, "s.csv", "Report\nat;a;b\n1;2;3\n4;5;6\n");
    assertThatThrownBy(() -> Trial.of(semicolons, Map.of()).schema())
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--skip-lines 1"))
        .hasMessageContaining("with 3 fields by ';'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // A header that lacks a name, as R writes it.
        "a,b\n1,2,3\n4,5,6\n",
        // A table whose last records are bad.
        "a,b\n1,2\n1,2,3\n1,2,3\n",
        // Text with commas in it.
        "note\nwell\nyes, no\nno\n",
        "note\nall; in\none\n",
        // Records that do not agree.
        "a,b\n1,2\n1,2,3\n1,2\n1,2,3,4\n",
        "#id,n\n1,2\n3,4\n",
      })
  void whatMayBeAHeaderOrARecordIsLeftAlone(String text) {
    Path file = Trial.file(folder, "t.csv", text);
    assertThat(Trial.of(file, Map.of("header", "true")).schema().width()).isPositive();
  }

  @Test
  void commentsAreNoRecordsAndHaveNoQuotes() {
    String text =
        """
        # made by "us, today
        id,name
        1,"a
        # of a value"
        # it's 5" long
        2,#b
        "#3",c
        # the end\
        """;
    Path file = Trial.file(folder, "c.csv", text);
    Map<String, String> options = Map.of("comment", "#", "header", "true");
    assertThat(Trial.of(file, options).rows())
        .containsExactly(List.of("1", "a\n# of a value"), List.of("2", "#b"), List.of("#3", "c"));
    List<Trial.Read> read = Trial.of(file, options).readUnit(1, false).read();
    assertThat(read).extracting(Trial.Read::line).containsExactly(3L, 6L, 7L);
    assertThat(read).extracting(Trial.Read::row).containsExactly(1L, 2L, 3L);
  }

  @Test
  void commentsAtSplitBordersAreNoRecordsEither() {
    StringBuilder text = new StringBuilder("## top\nid,note\n");
    List<List<@Nullable String>> expected = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      text.append(i % 3 == 0 ? "##," + "\"".repeat(i % 2) + "x".repeat(i % 40) + "\r\n" : "");
      text.append(i).append(",\"# ").append(i).append("\"\n");
      expected.add(List.of(Integer.toString(i), "# " + i));
    }
    Path file = Trial.file(folder, "many.csv", text.toString());
    for (int splitBytes : new int[] {1, 50, 1000, 10_000}) {
      assertThat(Trial.of(file, Map.of("comment", "##")).lanes(2, splitBytes).rows())
          .isEqualTo(expected);
    }
  }

  @Test
  void aCompressedFileHasCommentsAndSkippedLinesToo() throws IOException {
    byte[] text = "title\n# c\nid,n\n# c\n1,2\n".getBytes(StandardCharsets.UTF_8);
    Chunk packed = Chunk.of(text, 0, text.length, Compression.GZIP);
    byte[] bytes = new byte[packed.length()];
    System.arraycopy(packed.bytes(), 0, bytes, 0, bytes.length);
    Path file = Trial.file(folder, "c.csv.gz", bytes);
    Map<String, String> options = Map.of("comment", "#", "skip-lines", "1");
    List<Trial.Read> read = Trial.of(file, options).read();
    assertThat(read).extracting(Trial.Read::fields).containsExactly(List.of("1", "2"));
    assertThat(read.getFirst().line()).isEqualTo(5);
  }

  @Test
  void rawRecordsCrossWithoutThem() {
    Path file = Trial.file(folder, "raw.csv", "# a\nid,n\n1,2\n# b\n3,\"# c\"\n");
    Trial trial = Trial.of(file, Map.of("comment", "#"));
    assertThat(new String(trial.frames(), StandardCharsets.UTF_8)).isEqualTo("1,2\n3,\"# c\"\n");
  }

  @Test
  void aCommentThatIsNotSaidIsNamed() {
    Path file = Trial.file(folder, "c.csv", "// made here\nid,n\n1,2\n// more\n3,4\n");
    assertThatThrownBy(() -> Trial.of(file, Map.of()).schema())
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--comment '//'"))
        .hasMessageContaining("line 1 begins with '//'");
  }

  @Test
  void aFirstLineThatMayBeACommentIsTold() {
    Path file = Trial.file(folder, "c.csv", "# a, b\nid,n\n1,2\n3,4\n");
    Endpoint endpoint = new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().reading().notes())
          .anyMatch(note -> note.contains("begins as a comment does; if it is one, --comment"));
    }
  }

  @Test
  void whatCouldBeTakenForAnotherThingIsRefused() {
    Path file = Trial.file(folder, "c.csv", "id,n\n1,2\n");
    for (Map<String, String> options :
        List.of(
            Map.of("comment", ","),
            Map.of("comment", "\""),
            Map.of("comment", "#", "null-string", "#N/A"),
            Map.of("trim", "true", "delimiter", "space"),
            Map.of("trim", "true", "format", "text"))) {
      assertThatThrownBy(() -> Trial.of(file, options).schema())
          .as(options.toString())
          .isInstanceOf(Fault.User.class);
    }
  }

  @Test
  void blanksAreTrimmedOutsideOfQuotes() {
    Path file =
        Trial.file(folder, "b.csv", "id , name\t, n\n 1,  \" a \" ,5 \n2 , b c , \n3,\"x\",7\n");
    assertThat(Trial.of(file, Map.of("trim", "true")).schema().names())
        .containsExactly("id", "name", "n");
    assertThat(Trial.of(file, Map.of("trim", "true")).wanted(new ColumnRequest.Typed()).rows())
        .isEqualTo(
            List.of(
                List.of("1", " a ", "5"),
                java.util.Arrays.asList("2", "b c", null),
                List.of("3", "x", "7")));
    assertThat(Trial.of(file, Map.of("header", "true")).rejects().rows().get(1))
        .isEqualTo(List.of("2 ", " b c ", " "));
  }

  @Test
  void severalNullStringsAreAllMissing() {
    Path file = Trial.file(folder, "n.csv", "id,v\n1,NULL\n2,n/a\n3,\n4,\"n/a\"\n5,NULL,\n");
    Map<String, String> options = Map.of("null-string", "NULL,n/a,", "header", "true");
    assertThat(Trial.of(file, options).rejects().rows())
        .isEqualTo(
            List.of(
                java.util.Arrays.asList("1", null),
                java.util.Arrays.asList("2", null),
                java.util.Arrays.asList("3", null),
                List.of("4", "n/a")));
    Map<String, String> one = Map.of("null-string", "NULL", "header", "true");
    assertThat(Trial.of(file, one).rejects().rows().get(2)).isEqualTo(List.of("3", ""));
  }
}
