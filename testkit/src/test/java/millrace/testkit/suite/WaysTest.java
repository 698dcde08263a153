package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.testkit.suite.JournaledSuite.Way;
import org.junit.jupiter.api.Test;

class WaysTest {

  private static final List<String> SYSTEMS =
      List.of(
          "Postgres",
          "DuckDb",
          "Sqlite",
          "MariaDb",
          "H2",
          "H2Server",
          "Hsqldb",
          "Kudu",
          "Couch",
          "Parquet",
          "JsonLines",
          "File");

  /// The suites of a class of tests of a system, by the rest of its name.
  private static final Map<String, List<Class<?>>> SUITES =
      Map.of(
          "ResumeSuiteTest", List.of(ResumeSuite.class),
          "ResumeFaultSuiteTest", List.of(ResumeFaultSuite.class, ConnectionFaultSuite.class),
          "ResumeChoiceSuiteTest", List.of(ResumeChoiceSuite.class, ResumeLossSuite.class));

  /// A test by its name.
  ///
  /// @param group the rest of the name of its class
  private record Tried(String group, String name) {

    Stream<Way> by(String system) {
      return Ways.of(system + group, name, 0);
    }
  }

  private static final List<Tried> TESTS =
      SUITES.entrySet().stream().flatMap(each -> tests(each.getKey(), each.getValue())).toList();

  private static Stream<Tried> tests(String group, List<Class<?>> suites) {
    return suites.stream()
        .flatMap(suite -> Stream.of(suite.getDeclaredMethods()))
        .filter(method -> Stream.of(method.getParameterTypes()).anyMatch(Way.class::equals))
        .map(method -> method.getName())
        .filter(name -> !name.contains("$"))
        .map(name -> new Tried(group, name));
  }

  private static final List<Way> ALL = JournaledSuite.ways().toList();

  @Test
  void eachSystemTriesAllWays() {
    assertThat(TESTS).hasSizeGreaterThan(10);
    for (String system : SYSTEMS) {
      assertThat(TESTS.stream().flatMap(test -> test.by(system))).as(system).containsAll(ALL);
    }
  }

  @Test
  void eachTestIsTriedInAllWays() {
    for (Tried test : TESTS) {
      assertThat(SYSTEMS.stream().flatMap(test::by)).as(test.toString()).containsAll(ALL);
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
