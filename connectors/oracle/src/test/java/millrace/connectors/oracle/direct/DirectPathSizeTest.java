package millrace.connectors.oracle.direct;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.spi.read.SourceDescription.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much a source must have for a stream, if the user leaves the choice.
class DirectPathSizeTest {

  /// If nobody knows how many rows there are, their bytes decide; of few rows they decide as well.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | -1 | ''",
        "-1 | 0 | 0 bytes",
        "-1 | 524288 | 524,288 bytes",
        "-1 | 524289 | ''",
        "0 | -1 | about 0 rows",
        "5000 | -1 | about 5,000 rows",
        "5001 | 10 | ''",
        "20 | 16777216 | about 20 rows",
        "20 | 16777217 | ''"
      })
  void whatIsTooSmallForAStream(long rows, long bytes, String words) {
    String why = DirectPath.tooSmall(new Size(rows, bytes, true));
    if (words.isEmpty()) {
      assertThat(why).isEmpty();
    } else {
      assertThat(why).isEqualTo("for " + words + " a stream takes more calls than inserts do");
    }
  }
}
