package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Records go from one file of text to another: what each file's options say holds for it, also if
/// the records could cross as they are.
final class TextToTextTest {

  private static final String FROM = "a,b\n1,NA\n2,NULL\n#3,x\n 4 , y\n5,\"NA\"\n";

  @TempDir private Path home;

  /// The source's options, the target's, and the rows that a reader of the target finds.
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      nullValues = "-",
      textBlock =
          """
          -                   ! -                      ! 1/NA 2/NULL #3/x _4_/_y 5/NA
          -                   ! comment=#              ! 1/NA 2/NULL #3/x _4_/_y 5/NA
          -                   ! trim=true              ! 1/NA 2/NULL #3/x _4_/_y 5/NA
          -                   ! null-string=?,NA       ! 1/NA 2/NULL #3/x _4_/_y 5/NA
          null-string=NULL    ! null-string=NULL,NA    ! 1/NA 2/null #3/x _4_/_y 5/NA
          null-string=NULL,NA ! null-string=NULL       ! 1/null 2/null #3/x _4_/_y 5/NA
          comment=#           ! -                      ! 1/NA 2/NULL _4_/_y 5/NA
          comment=#           ! comment=#              ! 1/NA 2/NULL _4_/_y 5/NA
          trim=true           ! trim=true              ! 1/NA 2/NULL #3/x 4/y 5/NA
          trim=true           ! -                      ! 1/NA 2/NULL #3/x 4/y 5/NA
          -                   ! comment=#&quoting=text ! 1/NA 2/NULL #3/x _4_/_y 5/NA
          """)
  void aReaderFindsTheSameValues(@Nullable String source, @Nullable String target, String rows)
      throws IOException {
    Path from = Files.writeString(home.resolve("from.csv"), FROM);
    Path to = Files.writeString(home.resolve("to.csv"), "a,b\n");
    String written = to + (target == null ? "" : "?" + target);
    run("copy", from + (source == null ? "" : "?" + source), written, "--mode=append");
    Path found = home.resolve("found.csv");
    run("copy", written, found + "?null-string=null");
    StringBuilder expected = new StringBuilder("a,b\n");
    for (String row : rows.split(" ", -1)) {
      expected.append(row.replace('_', ' ').replace('/', ',')).append('\n');
    }
    assertThat(found).hasContent(expected.toString());
  }

  private void run(String... words) {
    Cli.Result result = new Cli(home).run(words);
    assertThat(result.code()).as(result.err()).isZero();
  }
}
