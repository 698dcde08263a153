package millrace.connectors.oracle.direct;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.spi.read.SourceDescription.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much a source must have for direct inserts, if the user leaves the choice.
class DirectPathSizeTest {

  /// If nobody knows how many rows there are, their bytes decide; of few rows they decide as well.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | -1 | true | ''",
        "-1 | 0 | true | about 0 rows are too few",
        "-1 | 500099 | true | about 5,000 rows are too few",
        "-1 | 500100 | true | ''",
        "0 | -1 | true | about 0 rows are too few",
        "5000 | -1 | true | about 5,000 rows are too few",
        "5001 | 10 | true | ''",
        "20 | 16777216 | true | about 20 rows are too few",
        "20 | 16777217 | true | ''",
        "-1 | -1 | false | read in one",
        "5001 | -1 | false | read in one",
        "5001 | 16777216 | false | ''",
        "5001 | 16777217 | false | read in one"
      })
  void whatIsNotForDirectInserts(long rows, long bytes, boolean cuts, String words) {
    String why = DirectPath.unfit(new Size(rows, bytes, cuts));
    if (words.isEmpty()) {
      assertThat(why).isEmpty();
    } else {
      assertThat(why).contains(words);
    }
  }
}
