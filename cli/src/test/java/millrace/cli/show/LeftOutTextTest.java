package millrace.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.spi.catalog.LeftOut;
import org.junit.jupiter.api.Test;

class LeftOutTextTest {

  private static LeftOut trigger(String name, int table) {
    return LeftOut.of("trigger", name).ofTable("public.t" + table);
  }

  @Test
  void whatIsOfOneKindIsOneLine() {
    List<LeftOut> left =
        Stream.concat(
                IntStream.range(0, 14).mapToObj(table -> trigger("last_updated", table)),
                Stream.of(
                    trigger("film_text", 3),
                    LeftOut.of("view", "public.sales"),
                    LeftOut.of("policy", "own", "").ofTable("public.t1"),
                    LeftOut.of("policy", "all", "").ofTable("public.t1"),
                    LeftOut.of("foreign key", "f", "to public.x, which is not copied")
                        .ofTable("public.t2")))
            .toList();
    assertThat(LeftOutText.lines(left, List.of("They come along with", "  pg_dump shop"), false))
        .containsExactly(
            "Not copied:",
            "  1 foreign key: f (to public.x, which is not copied) of public.t2",
            "  2 policies: all of public.t1, own of public.t1",
            "  15 triggers: film_text of public.t3, last_updated of 14 tables",
            "  1 view: public.sales",
            "They come along with",
            "  pg_dump shop",
            "--verbose names all of them.");
  }

  @Test
  void thereAreTenLinesAtMostUnlessAllIsAskedFor() {
    List<LeftOut> left =
        IntStream.range(0, 60)
            .mapToObj(i -> LeftOut.of("kind " + (char) ('a' + i % 12), "n" + i))
            .toList();
    assertThat(LeftOutText.lines(left, List.of(), false))
        .hasSize(12)
        .contains("  5 kind as: n0, n12, n24, and 2 more", "  5 kind js, 5 kind ks, 5 kind ls");
    assertThat(LeftOutText.lines(left, List.of(), true))
        .hasSize(13)
        .contains("  5 kind as: n0, n12, n24, n36, n48");
  }

  @Test
  void whatIsTheReasonForAllIsSaidOnce() {
    String why = "since the database adds none";
    List<LeftOut> left =
        List.of(
            LeftOut.of("check", "a", why).ofTable("t"), LeftOut.of("check", "b", why).ofTable("u"));
    assertThat(LeftOutText.lines(left, List.of(), false))
        .containsExactly("Not copied:", "  2 checks (" + why + "): a of t, b of u");
  }

  @Test
  void severalOfAKindAreSpelledSo() {
    List<LeftOut> left = new ArrayList<>();
    for (String kind : List.of("operator class", "time of update", "policy", "foreign key")) {
      left.add(LeftOut.of(kind, "a"));
      left.add(LeftOut.of(kind, "b"));
    }
    assertThat(LeftOutText.lines(left, List.of(), false))
        .contains(
            "  2 operator classes: a, b",
            "  2 times of update: a, b",
            "  2 policies: a, b",
            "  2 foreign keys: a, b");
  }

  @Test
  void nothingIsSaidOfNothing() {
    assertThat(LeftOutText.lines(List.of(), List.of("They come along"), true)).isEmpty();
  }
}
