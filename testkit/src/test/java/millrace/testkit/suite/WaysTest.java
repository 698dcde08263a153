package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.testkit.suite.ResumeFixture.Way;
import org.junit.jupiter.api.Test;

class WaysTest {

  private static final List<String> SYSTEMS =
      List.of(
          "PostgresResumeSuiteTest",
          "DuckDbResumeSuiteTest",
          "SqliteResumeSuiteTest",
          "MariaDbResumeSuiteTest",
          "H2ResumeSuiteTest",
          "H2ServerResumeSuiteTest",
          "HsqldbResumeSuiteTest",
          "KuduResumeSuiteTest",
          "CouchResumeSuiteTest",
          "ParquetResumeSuiteTest",
          "JsonLinesResumeSuiteTest",
          "FileResumeSuiteTest");

  private static final List<String> TESTS =
      Stream.of(
              ResumeSuite.class,
              ResumeFaultSuite.class,
              ResumeLossSuite.class,
              ResumeChoiceSuite.class)
          .flatMap(suite -> Stream.of(suite.getDeclaredMethods()))
          .filter(method -> Stream.of(method.getParameterTypes()).anyMatch(Way.class::equals))
          .map(method -> method.getName())
          .filter(name -> !name.contains("$"))
          .toList();

  private static final List<Way> ALL = ResumeFixture.ways().toList();

  @Test
  void eachSystemTriesAllWays() {
    assertThat(TESTS).hasSizeGreaterThan(10);
    for (String system : SYSTEMS) {
      assertThat(TESTS.stream().flatMap(test -> Ways.of(system, test, 0)))
          .as(system)
          .containsAll(ALL);
    }
  }

  @Test
  void eachTestIsTriedInAllWays() {
    for (String test : TESTS) {
      assertThat(SYSTEMS.stream().flatMap(system -> Ways.of(system, test, 0)))
          .as(test)
          .containsAll(ALL);
    }
  }

  @Test
  void eachTurnIsAnotherChoice() {
    assertThat(IntStream.range(0, 4).mapToObj(turn -> Ways.of("s", "t", turn).toList()))
        .doesNotHaveDuplicates();
    assertThat(IntStream.range(0, 4).boxed().flatMap(turn -> Ways.of("s", "t", turn)))
        .containsAll(ALL);
  }
}
