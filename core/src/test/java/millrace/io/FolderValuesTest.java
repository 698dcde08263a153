package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FolderValuesTest {

  private static FolderValues of(String... paths) {
    return FolderValues.of("f", Stream.of(paths).map(Path::of).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1          ; 22         ; int64",
        "01         ; -2         ; int64",
        "1          ; __HIVE_DEFAULT_PARTITION__ ; int64",
        "1          ; 2x         ; text",
        "1          ; 2026-01-01 ; text",
        "2026-01-01 ; 2026-12-31 ; date",
        "2026-01-01 ; 2026-02-30 ; text",
        "1234567890123456789 ; 1 ; text",
        "''         ; 1          ; text",
        "__HIVE_DEFAULT_PARTITION__ ; __HIVE_DEFAULT_PARTITION__ ; text",
      })
  void aTypeHoldsForAllValues(String one, String other, String type) {
    FolderValues values = of("d/k=" + one + "/a.csv", "d/k=" + other + "/a.csv");
    assertThat(values.names()).containsExactly("k");
    assertThat(values.columns().getFirst().type().label()).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({"a%20b,a b", "%C3%A4,ä", "100%,100%", "%zz%2,%zz%2", "a=b,a=b", "%2F,/"})
  void namesAreDecoded(String folder, String value) {
    assertThat(of("k=" + folder + "/a.csv").files()).containsExactly(List.of(value));
  }

  @Test
  void theNameOfTheFileItselfIsNone() {
    FolderValues values = of("y=1/x/m=2/z=3.csv");
    assertThat(values.names()).containsExactly("y", "m");
    assertThat(values.files().getFirst()).containsExactly("1", "2");
  }

  @Test
  void filesInOtherFoldersAreRefused() {
    assertThatThrownBy(() -> of("y=1/a.csv", "m=1/a.csv"))
        .isInstanceOf(Fault.User.class)
        .hasMessage("m=1/a.csv lies in folders with values of m, but y=1/a.csv in some of y.");
    assertThatThrownBy(() -> of("x/a.csv"))
        .isInstanceOf(Fault.User.class)
        .hasMessage("x/a.csv lies in folders with no values.");
  }
}
