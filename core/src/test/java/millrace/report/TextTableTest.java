package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {

  @Test
  void columnsAlignByWhatIsSeen() {
    TextTable table = new TextTable(List.of("name", ">n"));
    table.row(List.of("東京都", "1"));
    table.row(List.of("e\u0301te", "12345"));
    table.row(List.of("x", ""));
    assertThat(table.lines())
        .containsExactly(
            "name        n", //
            "------  -----",
            "東京都      1",
            "e\u0301te     12345",
            "x");
  }

  @Test
  void longTextsAreCutByCells() {
    assertThat(DisplayWidth.cut("東京都", 6)).isEqualTo("東京都");
    assertThat(DisplayWidth.cut("東京都", 5)).isEqualTo("東京…");
    assertThat(DisplayWidth.cut("東京都", 4)).isEqualTo("東…");
    assertThat(DisplayWidth.cut("😀😀", 3)).isEqualTo("😀…");
    assertThat(DisplayWidth.cut("abc", 3)).isEqualTo("abc");
  }
}
