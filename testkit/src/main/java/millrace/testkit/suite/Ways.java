package millrace.testkit.suite;

import java.util.List;
import java.util.stream.Stream;
import millrace.spi.write.Mode;
import millrace.testkit.suite.JournaledSuite.Way;
import org.junit.jupiter.api.TestInfo;

/// Which ways a test of copies with a journal is tried in if not in all of them.
final class Ways {

  /// Ways that land alike in most systems.
  private static final List<List<Way>> KINDS =
      List.of(
          List.of(new Way(Mode.CREATE, false), new Way(Mode.REPLACE, false)),
          List.of(new Way(Mode.APPEND, false), new Way(Mode.TRUNCATE, false)),
          List.of(
              new Way(Mode.MERGE, false),
              new Way(Mode.APPEND, true),
              new Way(Mode.TRUNCATE, true)));

  private Ways() {}

  /// One of each kind; all if the system property `millrace.ways` is `all`.
  ///
  /// @param turn makes another choice for the same test
  static Stream<Way> of(TestInfo test, int turn) {
    String system = test.getTestClass().map(Class::getSimpleName).orElse("");
    String method = test.getTestMethod().map(each -> each.getName()).orElse("");
    return of(system, method, turn);
  }

  static Stream<Way> of(String system, String method, int turn) {
    if (System.getProperty("millrace.ways", "").equals("all")) {
      return JournaledSuite.ways();
    }
    int seed = Math.floorMod(31 * system.hashCode() + method.hashCode(), 12) + turn;
    return Stream.of(
        KINDS.get(0).get(seed % 2), KINDS.get(1).get(seed / 2 % 2), KINDS.get(2).get(seed % 3));
  }
}
