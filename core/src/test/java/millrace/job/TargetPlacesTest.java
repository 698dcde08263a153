package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.junit.jupiter.api.Test;

/// Two copies write to one place if they name one table, and not two partitions of it.
class TargetPlacesTest {

  private final TargetPlaces<String> places = new TargetPlaces<>();

  private static Endpoint table(String name) {
    return new Endpoint("x", "//h/db", Map.of("table", name), Secret.NONE);
  }

  private static Endpoint part(String name) {
    return table("t").with("partition", name);
  }

  @Test
  void namesThatSomeSystemTakesForOneAreOnePlace() {
    assertThat(places.take(table("t"), false, "a")).isNull();
    assertThat(places.take(table("\"T\""), false, "b")).isEqualTo("a");
    assertThat(places.take(table("u"), true, "c")).isNull();
    assertThat(places.take(table("U"), true, "d")).isNull();
    assertThat(places.take(table("U"), true, "e")).isEqualTo("d");
  }

  /// Quotes around a name say nothing, and those within it are letters of it.
  @Test
  void namesThatDifferInAQuoteAreTwoPlaces() {
    List<String> names =
        List.of("ab", "\"a\"\"b\"", "\"\"\"ab\"\"\"", "\"\"\"ab\"", "\"ab\"\"\"", "\"a\"\"\"\"b\"");
    names.forEach(name -> assertThat(places.take(table(name), false, name)).isNull());
    names.forEach(name -> assertThat(places.take(table(name), false, "again")).isEqualTo(name));
    assertThat(places.take(table("\"AB\""), false, "again")).isEqualTo("ab");
    assertThat(places.take(table("s.\"A\"\"b\""), false, "of s")).isNull();
    assertThat(places.take(table("\"s\".\"a\"\"b\""), false, "again")).isEqualTo("of s");
  }

  @Test
  void partitionsArePlacesOfTheirOwn() {
    assertThat(places.take(part("p1"), false, "a")).isNull();
    assertThat(places.take(part("p2"), false, "b")).isNull();
    assertThat(places.take(part("P2"), false, "c")).isEqualTo("b");
  }

  @Test
  void aTableAsAWholeIsTheSamePlaceAsEachOfItsPartitions() {
    places.take(part("p1"), false, "a");
    assertThat(places.take(table("t"), false, "whole")).isEqualTo("a");
    assertThat(places.take(part("p2"), false, "b")).isEqualTo("whole");
  }
}
