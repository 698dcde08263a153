package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.spi.write.Landing;
import millrace.spi.write.Landing.Commits;
import millrace.spi.write.Landing.Offer;
import millrace.spi.write.Landing.Place;
import millrace.spi.write.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LandingTest {

  /// What systems offer, by what they are like.
  private static final Map<String, Offer> OFFERS =
      Map.of(
          "all",
          Offer.into(Commits.PARTS)
              .staging(Commits.PARTS, Place.SWAP, Place.INSERT, Place.MERGE)
              .swappingLike(),
          "server",
          Offer.into(Commits.PARTS).staging(Commits.PARTS, Place.SWAP, Place.INSERT, Place.MERGE),
          "frozen",
          Offer.into(Commits.WHOLE).staging(Commits.WHOLE, Place.SWAP, Place.MERGE).swappingLike(),
          "embedded",
          Offer.into(Commits.WHOLE).staging(Commits.WHOLE, Place.MERGE),
          "ddl commits",
          Offer.into(Commits.WHOLE).staging(Commits.WHOLE, Place.SWAP, Place.MERGE),
          "key store",
          Offer.into(Commits.PARTS, Commits.WHOLE).staging(Commits.PARTS, Place.SWAP),
          "documents",
          Offer.AS_THEY_COME,
          "files",
          Offer.into().staging(Commits.PARTS, Place.SWAP, Place.INSERT),
          "one file",
          Offer.into().staging(Commits.WHOLE, Place.SWAP));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          all         | create   | false | target is made       | swap parts
          all         | append   | false | target is made       | target parts
          all         | append   | true  | target is made       | swap parts
          all         | append   | false | target stays         | target parts
          all         | append   | true  | target stays         | insert parts
          all         | truncate | false | target stays         | target parts
          all         | truncate | true  | target stays         | insert parts
          all         | replace  | false | target is made       | swap parts
          all         | replace  | false | target stays         | swap parts
          all         | merge    | false | target stays         | merge parts
          all         | merge    | false | target is made       | merge parts
          server      | create   | false | target is made       | swap parts
          server      | append   | false | target stays         | target parts
          server      | replace  | false | target is made       | swap parts
          server      | replace  | false | target stays         | insert parts
          server      | merge    | false | target stays         | merge parts
          frozen      | create   | false | target is made       | swap whole
          frozen      | append   | false | target is made       | swap whole
          frozen      | append   | true  | target stays         | target whole
          frozen      | replace  | false | target stays         | swap whole
          embedded    | create   | false | target is made       | target whole
          embedded    | append   | false | target is made       | target whole
          embedded    | append   | true  | target stays         | target whole
          embedded    | replace  | false | target stays         | target whole
          embedded    | replace  | false | target is made       | target whole
          embedded    | merge    | false | target stays         | merge whole
          ddl commits | create   | false | target is made       | swap whole
          ddl commits | append   | false | target is made       | swap whole
          ddl commits | append   | false | target stays         | target whole
          ddl commits | replace  | false | target stays         | target whole
          ddl commits | replace  | false | target is made       | swap whole
          key store   | create   | false | target is made       | swap parts
          key store   | append   | false | target stays         | target parts
          key store   | append   | true  | target stays         | target whole
          key store   | append   | true  | target is made       | swap parts
          key store   | merge    | false | target stays         | target parts
          documents   | create   | false | target is made       | target parts
          documents   | truncate | false | target is made       | target parts
          files       | create   | false | target is made       | swap parts
          files       | append   | false | target stays         | insert parts
          files       | append   | false | target is made       | swap parts
          files       | truncate | false | target is made       | swap parts
          one file    | replace  | false | target is made       | swap whole
          """)
  void whereRowsGoFollowsFromModeAndOffer(
      String offer, String mode, boolean atomic, String target, String landing) {
    Landing settled =
        Landing.settle(
            offered(offer),
            Mode.valueOf(mode.toUpperCase(Locale.ROOT)),
            atomic,
            target.equals("target stays"),
            List.of());
    assertThat((settled.place() + " " + settled.commits()).toLowerCase(Locale.ROOT))
        .isEqualTo(landing);
  }

  private static Offer offered(String name) {
    return Objects.requireNonNull(OFFERS.get(name), name);
  }

  private static Stream<Offer> offers() {
    return OFFERS.values().stream();
  }

  /// Nothing is settled that was not offered; a target that is made whole, or put in the place of
  /// another, leaves no rows if that can be had.
  @ParameterizedTest
  @MethodSource("offers")
  void nothingIsSettledThatIsNotOffered(Offer offer) {
    for (Mode mode : Mode.values()) {
      for (int choice = 0; choice < 4; choice++) {
        Landing landing =
            Landing.settle(offer, mode, (choice & 1) != 0, (choice & 2) != 0, List.of("id"));
        if (landing.staged()) {
          assertThat(offer.places()).contains(landing.place());
          assertThat(landing.commits()).isEqualTo(offer.staged());
        } else if (!offer.direct().isEmpty()) {
          assertThat(offer.direct()).contains(landing.commits());
        }
        boolean canBeWhole =
            offer.direct().contains(Commits.WHOLE) || offer.places().contains(Place.SWAP);
        if (canBeWhole && (mode == Mode.CREATE || mode == Mode.REPLACE)) {
          assertThat(landing.leavesRows()).isFalse();
        }
        assertThat(landing.key()).containsExactly("id");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void rowsOfOneTransactionNeverStayOfARunThatFails(Mode mode) {
    Landing landing = Landing.settle(offered("embedded"), mode, false, true, List.of());
    assertThat(landing.leavesRows()).isFalse();
    assertThat(landing.whole()).isTrue();
  }
}
