package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.CsvArbitraries;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.ReferenceCsv;
import millrace.fault.Fault;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/// One file cut into splits gives the records of one sequential read: values, row numbers, lines
/// and byte offsets, whatever the dialect, the content and the places of the cuts.
class SplitsTest {

  private static Path folder = Path.of("");

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("millrace-splits");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    Files.deleteIfExists(folder.resolve("rows.csv"));
    Files.deleteIfExists(folder);
  }

  /// @param windowBytes how much is read at a time in order to cut
  /// @param heldBytes how much of that may wait for the readers
  record Case(
      CsvDialect dialect,
      String text,
      int splitBytes,
      int readBytes,
      int windowBytes,
      int heldBytes) {}

  @Provide
  Arbitrary<Case> cases() {
    Arbitrary<Integer> sizes = Arbitraries.integers().between(1, 120);
    Arbitrary<Integer> windows = Arbitraries.integers().between(32, 200);
    Arbitrary<Integer> held = Arbitraries.integers().between(0, 400);
    return CsvArbitraries.dialects()
        .flatMap(dialect ->
            Combinators.combine(CsvArbitraries.contents(dialect), sizes, sizes, windows, held)
                .as((text, split, read, window, hold) ->
                    new Case(dialect, text, split, read, window, hold)));
  }

  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void cutsGiveTheRecordsOfOneSequentialRead(@ForAll("cases") Case given) {
    // The line end is given, so that it does not depend on what the text begins with.
    CsvDialect dialect =
        given.dialect.framing().newline() == CsvDialect.Newline.LF_OR_CRLF
            ? given.dialect.as(CsvDialect.Newline.LF)
            : given.dialect;
    Path file = Trial.file(folder, "rows.csv", given.text);
    Integer width = width(file, dialect);
    if (width == null) {
      return;
    }
    List<ReferenceCsv.Read> records = ReferenceCsv.read(dialect, given.text, width);
    List<String> expected = new ArrayList<>();
    for (ReferenceCsv.Read record : records) {
      expected.add("row " + (expected.size() + 1) + " " + comparable(record));
    }
    assertThat(read(file, dialect, given, 1)).as("one lane").isEqualTo(expected);
    assertThat(read(file, dialect, given, 2)).as("two lanes").isEqualTo(expected);
    assertThat(
            Trial.of(file, Trial.parameters(dialect))
                .lanes(2, given.splitBytes)
                .readUnit(given.readBytes, true)
                .rejects()
                .rows())
        .as("small reads")
        .isEqualTo(
            records.stream()
                .filter(record -> record.wrong() == null)
                .map(ReferenceCsv.Read::fields)
                .toList());
  }

  /// How many columns the file is found to have; null if its first record can't be read.
  private static @Nullable Integer width(Path file, CsvDialect dialect) {
    try {
      return Trial.of(file, Trial.parameters(dialect)).schema().width();
    } catch (Fault.User _) {
      return null;
    }
  }

  private static List<String> read(Path file, CsvDialect dialect, Case given, int lanes) {
    // One row a batch, because only the first row of a batch says where it stands.
    List<Trial.Read> found =
        Trial.of(file, Trial.parameters(dialect))
            .lanes(lanes, given.splitBytes)
            .cutting(given.windowBytes, given.heldBytes)
            .readUnit(1, false)
            .rejects()
            .read();
    List<String> comparable = new ArrayList<>();
    for (Trial.Read read : found) {
      String what = read.reject() == null ? read.fields().toString() : "bad";
      comparable.add(
          "row " + read.row() + " line " + read.line() + " byte " + read.offset() + " " + what);
    }
    return comparable;
  }

  private static String comparable(ReferenceCsv.Read record) {
    String what = record.wrong() != null ? "bad" : record.fields().toString();
    return "line " + record.line() + " byte " + record.start() + " " + what;
  }
}
