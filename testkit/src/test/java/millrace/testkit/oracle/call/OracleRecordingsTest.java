package millrace.testkit.oracle.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.NotOffered;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The stand-in against what real servers said: each recorded call is read to its last byte, and
/// answered in the shape of the recorded answer.
///
/// `MILLRACE_ORACLE_RECORDINGS` names a folder of recordings, which are none of this project's:
/// files `NAME.packets`, a packet a line, `C` or `S` before it in hexadecimal. Those of distributed
/// transactions, pipelines and objects are left out, since the stand-in does not offer them.
@Tag("stand-in")
class OracleRecordingsTest {

  private static final String FOLDER = "MILLRACE_ORACLE_RECORDINGS";

  /// What a server answers and the stand-in does not.
  ///
  /// @param recorded lines of an answer, or a part of one
  /// @param ours what stands in their place
  private record Difference(String recorded, String ours, String reason) {}

  private static final List<Difference> DIFFERENCES =
      List.of(
          new Difference(
              "kind 12, rows 0, iterations 0",
              "kind 1, rows 0, iterations 1",
              "DDL is one kind to the stand-in, whether it finds something to drop or not; no"
                  + " client looks at it"),
          new Difference(
              "kind 12, rows 0, iterations 1", "kind 1, rows 0, iterations 1", "the same"),
          new Difference(
              "MAX(LENGTH(WIDE))",
              "MAX(CHAR_LENGTH(WIDE))",
              "an expression without a name is named by what H2 was asked"),
          new Difference(
              "column V type 2(6,0)",
              "column V type 2(0,0)",
              "H2 does not tell a CAST from other arithmetic"),
          new Difference(
              """
              column N type 1(0,0) size 0 chars 0 charset 1 form 1 nullable 1
              end, error 0 and 0, kind 3, rows 0, iterations 1, transaction false, cursor true
              """
                  .strip(),
              """
              column N type 1(0,0) size 4 chars 1 charset 873 form 1 nullable 1
              row\s
              end, error 1403 and 1403, kind 3, rows 1, iterations 1, transaction false, cursor true ORA-01403: no data found
              """
                  .strip(),
              "NULL as a column is a text to the stand-in, and comes with the execution"),
          new Difference(
              "row \nend, error 1403 and 1403, kind 3, rows 1",
              "end, error 1403 and 1403, kind 3, rows 1",
              "so the fetch of it has no row left"));

  /// @param fieldVersion which client and server had agreed on before
  @ParameterizedTest
  @CsvSource({
    "dpl_session, 24",
    "fetch_df_session, 24",
    "free23-lob, 24",
    "xe18-lob, 11",
    "xe21-lob, 16",
    "xe18-postauth, 11",
    "xe21-postauth, 16"
  })
  void eachCallIsAnsweredAsARealServerDid(String name, int fieldVersion) throws IOException {
    List<String> wrong = new ArrayList<>();
    int calls = 0;
    try (Replay replay = new Replay(fieldVersion)) {
      for (Replay.Exchange exchange : Replay.exchanges(recording(name))) {
        Replay.Answered answered = replay.call(exchange);
        calls++;
        String recorded = String.join("\n", answered.recorded());
        String found = String.join("\n", answered.found());
        if (!found.equals(recorded) && !isKnown(recorded, found)) {
          wrong.add(
              "%s, call %d, %s%n%s%nbut the server said%n%s"
                  .formatted(name, calls, answered.function(), found, recorded));
        }
        assertThat(replay.isDrained()).as("call %d is read to its end", calls).isTrue();
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(calls).isPositive();
  }

  private static boolean isKnown(String recorded, String found) {
    return DIFFERENCES.stream()
        .anyMatch(each -> recorded.replace(each.recorded(), each.ours()).equals(found));
  }

  private static List<String> recording(String name) throws IOException {
    String folder = System.getenv(FOLDER);
    if (folder == null || folder.isEmpty()) {
      throw new NotOffered(
          "oracle", "bytes of real servers, since " + FOLDER + " names no folder of them");
    }
    return Files.readAllLines(Path.of(folder, name + ".packets"));
  }
}
