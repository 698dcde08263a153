package millrace.connectors.oracle.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import millrace.connectors.sql.Names;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names of schemas in users' texts.
class MovedTextTest {

  private static final Names NAMES = new Names('"', Names.Folding.UPPER, 128);
  private static final MovedText TEXT =
      new MovedText(NAMES, Map.of("SHOP", "TEST", "Odd one", "Odd.two"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '`',
      value = {
        "SELECT * FROM shop.item^SELECT * FROM \"TEST\".item",
        "FROM \"SHOP\" . \"item\", Shop.b^FROM \"TEST\" . \"item\", \"TEST\".b",
        "FROM \"shop\".item, shopping.item^FROM \"shop\".item, shopping.item",
        "FROM \"Odd one\".a^FROM \"Odd.two\".a",
        "a.shop.b, :shop.b, x@shop.world^a.shop.b, :shop.b, x@shop.world",
        "shop || 'shop.item' || shop^shop || 'shop.item' || shop",
        "-- shop.item it's^-- shop.item it's",
        "/* 'shop.item */ shop.a^/* 'shop.item */ \"TEST\".a",
        "q'[it's shop.a]' || shop.a^q'[it's shop.a]' || \"TEST\".a",
        "Nq'!it's shop.a!' || shop.a^Nq'!it's shop.a!' || \"TEST\".a",
        "'it''s' || shop.f('shop.a')^'it''s' || \"TEST\".f('shop.a')",
        "\"SHOP\".\"NUMBERS\".\"NEXTVAL\"^\"TEST\".\"NUMBERS\".\"NEXTVAL\"",
      })
  void namesBeforePointsAreNew(String text, String moved) {
    assertThat(TEXT.moved(text)).isEqualTo(moved);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '`',
      value = {
        "FUNCTION^function f(a shop.t) return number is^(a \"TEST\".t) return number is",
        "FUNCTION^FUNCTION\\n  shop . \"F\"\\nRETURN^\\nRETURN",
        "PACKAGE BODY^package  body \"SHOP\".f as^` as`",
        "TYPE^TYPE F$ UNDER shop.g^` UNDER \"TEST\".g`",
        "TRIGGER^TRIGGER f BEFORE INSERT ON shop.item^` BEFORE INSERT ON \"TEST\".item`",
      })
  void theNewNameStandsInPlaceOfTheOld(String kind, String text, String rest) {
    assertThat(TEXT.made(kind, "\"TEST\".\"F\"", text.replace("\\n", "\n")))
        .isEqualTo("CREATE " + kind + " \"TEST\".\"F\"" + rest.replace("\\n", "\n"));
  }

  @Test
  void whatIsSpeltInTextsIsKnown() {
    assertThat(TEXT.spells("EXECUTE IMMEDIATE 'DELETE FROM Shop.item'")).isTrue();
    assertThat(TEXT.spells("EXECUTE IMMEDIATE q'[DELETE FROM \"SHOP\".item]'")).isTrue();
    assertThat(TEXT.spells("shop.f('workshop.x', 'shop')")).isFalse();
    assertThat(new MovedText(NAMES, Map.of("SHOP", "SHOP")).spells("'shop.x'")).isFalse();
  }
}
