package millrace.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.report.ReportJson;
import org.junit.jupiter.api.Test;

final class DifferencesTest {

  /// Scripts read it.
  @Test
  void theJsonIsFlat() {
    Differences found =
        new Differences(
            false,
            10,
            11,
            List.of("id"),
            List.of("amount"),
            new Differences.DifferingRows(
                List.of(new Differences.KeyRange("1", "3", 2)),
                List.of(
                    new Differences.RowDifference(
                        "1", Differences.Kind.CHANGED, List.of("amount: 1 -> 2"))),
                2,
                true),
            List.of("a note"));
    assertThat(ReportJson.event("differences", found).path("differences"))
        .hasToString(
            """
            {"same":false,"from_rows":10,"to_rows":11,"key":["id"],"columns":["amount"],\
            "key_ranges":[{"first":"1","last":"3","rows":2}],\
            "rows":[{"key":"1","kind":"CHANGED","values":["amount: 1 -> 2"]}],\
            "rows_seen":2,"complete":true,"notes":["a note"]}\
            """);
  }
}
