package millrace.plan.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MappingTest {

  private static final Type INT = new Type.Int(64);
  private static final Schema ORDERS =
      new Schema(
          List.of(
              new Column("id", INT, false, null),
              Column.of("Price", INT),
              Column.of("junk", Type.Text.UNLIMITED)),
          List.of("id"));

  private static Mapping mapping(
      @Nullable String rename, @Nullable String cast, @Nullable String add, @Nullable String drop) {
    return new Mapping(
        MappingWords.renames(words(rename)),
        MappingWords.casts(words(cast)),
        MappingWords.added(words(add)),
        MappingWords.names("--drop", words(drop)),
        NewColumns.ERROR,
        false);
  }

  private static List<String> words(@Nullable String text) {
    return text == null ? List.of() : List.of(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "          ;                      ;                  ;         ;"
            + "0 id int64, 1 Price int64, 2 junk text",
        "id=article; price:decimal(12,2) ;                  ; junk    ;"
            + "0 article int64, 1 Price decimal(12,2)",
        "id=junk,junk=id;                ;                  ; price   ;"
            + "0 junk int64, 2 id text",
        "          ; src:text             ; 'src=5,at=now()'  ; id,junk ;"
            + "1 Price int64, -1 src text, -1 at timestamptz",
        "          ;                      ; 'a=''x, \"y\"'',b=-1.50,c=007,d=';"
            + "id,price,junk; -1 a text, -1 b decimal(3,2), -1 c text, -1 d text",
      })
  void columnsKeepTheirOrderUnderNewNamesAndTypes(
      @Nullable String rename,
      @Nullable String cast,
      @Nullable String add,
      @Nullable String drop,
      String expected) {
    List<String> mapped =
        mapping(rename, cast, add, drop).apply("f", ORDERS, 63).stream()
            .map(each ->
                each.position() + " " + each.column().name() + " " + each.column().type().label())
            .toList();
    assertThat(String.join(", ", mapped)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "prise=x  ;            ;       ;      ; --rename prise=x: f has no column 'prise'.",
        "         ; junc:text  ;       ;      ; --cast junc:text: f has no column 'junc'.",
        "         ;            ;       ; jnk  ; --drop jnk: f has no column 'jnk'.",
        "id=junk  ;            ;       ;      ; Two columns would be called junk.",
        "         ;            ; id=5  ;      ; Two columns would be called id.",
        "id=a     ;            ;       ; id   ; Column id is both renamed and dropped.",
        "id=a,ID=b;            ;       ;      ; --rename gives column id two names.",
        "         ;            ;       ; id,price,junk ; No column of f is left.",
      })
  void whatMakesNoSenseIsRefused(
      @Nullable String rename,
      @Nullable String cast,
      @Nullable String add,
      @Nullable String drop,
      String message) {
    Mapping mapping = mapping(rename, cast, add, drop);
    assertThatThrownBy(() -> mapping.apply("f", ORDERS, 63))
        .isInstanceOf(Fault.User.class)
        .hasMessage(message);
  }

  /// As of a synonym in Derby, of which its driver tells no columns.
  @Test
  void aTableWithoutColumnsIsRefusedAsThat() {
    Mapping mapping = mapping(null, null, null, null);
    assertThatThrownBy(() -> mapping.apply("f", Schema.of(List.of()), 63))
        .isInstanceOf(Fault.User.class)
        .hasMessage("f has no columns.");
  }

  @Test
  void aCastThatNamesTheNewNameSaysWhatItIsCalled() {
    Mapping mapping = mapping("price=amount", "amount:text", null, null);
    assertThatThrownBy(() -> mapping.apply("f", ORDERS, 63))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).startsWith("It is called price there."));
  }

  @Test
  void theKeyIsRenamedAndGoesWithAColumnOfIt() {
    Mapping renames = mapping("id=article", null, null, null);
    assertThat(renames.schema(ORDERS, renames.apply("f", ORDERS, 63)).key())
        .containsExactly("article");
    Mapping drops = mapping(null, null, null, "id");
    assertThat(drops.schema(ORDERS, drops.apply("f", ORDERS, 63)).key()).isEmpty();
  }

  /// A source takes types from the column that its own goes into. In its own order, under the new
  /// names, and with all of its columns or not at all.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      value = {
        "-       ; -   ; b a",
        "a=x     ; -   ; b x",
        "a=b,b=a ; -   ; a b",
        "-       ; v   ; b a",
        "-       ; a   ; ''",
        "-       ; b   ; ''",
        "b=a     ; a   ; ''",
        "-       ; B,a ; ''",
      })
  void aKeyOfTwoColumnsIsKeptWholeOrNotAtAll(
      @Nullable String rename, @Nullable String drop, String key) {
    Schema schema =
        new Schema(
            List.of(
                new Column("a", INT, false, null),
                Column.of("v", INT),
                new Column("b", INT, false, null)),
            List.of("b", "a"));
    Mapping mapping = mapping(rename, null, null, drop);
    assertThat(mapping.schema(schema, mapping.apply("t", schema, 63)).key())
        .isEqualTo(key.isEmpty() ? List.of() : List.of(key.split(" ", -1)));
  }

  /// The source's column of that name goes elsewhere, and has its own type.
  @ParameterizedTest
  @CsvSource({
    "Price=amount, Price:int16, Price=5, , Price, int64",
    "id=article, id:date, id=2026-01-01, , id, int64",
    "'id=Price,Price=id', 'n:int16', n=5, , id, int64",
    "'id=x', 'junk:int16', junk=5, junk, junk, text",
  })
  void aCastOfAnAddedColumnIsNoneOfTheSources(
      String rename, String cast, String add, @Nullable String drop, String column, String type) {
    Mapping mapping = mapping(rename, cast, add, drop);
    List<MappedColumn> mapped = mapping.apply("t", ORDERS, 63);
    assertThat(mapped.getLast().column().type().label()).isEqualTo(cast.split(":", -1)[1]);
    Schema target = mapping.schema(ORDERS, mapped);
    Schema asSource = mapping.asSourceNames(target, Map.of());
    assertThat(asSource.column(asSource.indexOf(column)).type().label()).isEqualTo(type);
    assertThat(mapping.of(List.of("id", "Price", "junk")).casts()).isEmpty();
  }

  @Test
  void aTargetsTypesAreThoseOfTheColumnsThatRenamedOnesGoTo() {
    Schema target =
        Schema.of(
            List.of(
                Column.of("id", Type.Text.UNLIMITED),
                Column.of("article", INT),
                Column.of("price", INT)));
    Mapping mapping = mapping("id=article", "price:decimal(9,2)", null, null);
    Schema like = mapping.asSourceNames(target, Map.of());
    assertThat(like.names()).containsExactly("id", "price");
    assertThat(like.column(0).type()).isEqualTo(INT);
    assertThat(like.column(1).type()).isEqualTo(new Type.Decimal(9, 2));
  }

  @Test
  void oneWhoAsksForNothingIsNoOtherJob() {
    assertThat(Mapping.NONE.identity()).isEmpty();
    assertThat(mapping(null, null, null, null)).isEqualTo(Mapping.NONE);
    assertThat(mapping("a=b", null, null, null).identity())
        .isNotEqualTo(mapping("a=c", null, null, null).identity())
        .isNotEqualTo(mapping(null, null, null, "a").identity());
    assertThat(mapping("a=b,c=d", "x:text,y:date", null, "u,v").identity())
        .isEqualTo(mapping("c=d,a=b", "y:date,x:text", null, "v,u").identity());
  }

  @Test
  void nowIsTheTimeInTheColumnsOwnSpelling() {
    Instant begun = Instant.parse("2026-11-27T23:00:05Z");
    AddedValue now = new AddedValue.Now();
    assertThat(now.spelled(new Type.Timestamp(true), begun)).isEqualTo("2026-11-27T23:00:05Z");
    assertThat(now.spelled(new Type.Timestamp(false), begun)).isEqualTo("2026-11-27 23:00:05");
    assertThat(now.spelled(new Type.Date(), begun)).isEqualTo("2026-11-27");
  }

  @Property
  void fittedNamesFitAndStayApart(
      @ForAll @Size(min = 1, max = 30) List<@StringLength(min = 1, max = 20) String> requested,
      @ForAll @IntRange(min = 8, max = 20) int bytesMax) {
    List<String> names =
        requested.stream().map(name -> name.replaceAll("\\p{Cs}", "é")).distinct().toList();
    Schema schema = Schema.of(names.stream().map(name -> Column.of(name, INT)).toList());
    Mapping fits = new Mapping(Map.of(), Map.of(), Map.of(), List.of(), NewColumns.ERROR, true);
    List<String> fitted =
        fits.apply("f", schema, bytesMax).stream().map(each -> each.column().name()).toList();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      String name = fitted.get(i);
      boolean wasLong = names.get(i).getBytes(StandardCharsets.UTF_8).length > bytesMax;
      assertThat(name.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(bytesMax);
      if (wasLong) {
        assertThat(seen.add(name.toLowerCase(Locale.ROOT))).isTrue();
        assertThat(names).doesNotContain(name);
      } else {
        assertThat(name).isEqualTo(names.get(i));
        seen.add(name.toLowerCase(Locale.ROOT));
      }
    }
    assertThat(fits.apply("f", schema, bytesMax).stream().map(each -> each.column().name()))
        .isEqualTo(fitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--rename; a      ; is not old=new",
        "--rename; a=     ; gives an empty name",
        "--rename; a=b,a=c; names column a twice",
        "--add; a=1,a=2; names column a twice",
        "--cast; a:int,a:text; names column a twice",
        "--add   ; =5     ; is not name=value",
        "--add   ; a=\"x\"y ; is not name=value",
        "--cast  ; a      ; says no type for a",
        "--cast  ; a:txt  ; The type 'txt' is not known",
      })
  void wordsThatMakeNoSenseAreRefused(String option, String text, String message) {
    assertThatThrownBy(() ->
            Stream.of(text)
                .forEach(each -> {
                  switch (option) {
                    case "--rename" -> MappingWords.renames(List.of(each));
                    case "--add" -> MappingWords.added(List.of(each));
                    default -> MappingWords.casts(List.of(each));
                  }
                }))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(message);
  }

  /// Blanks around its parts mean nothing; within quotes all counts.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a=1; int64; 1",
        " a = -17 ; int64; -17",
        "a=007; text; 007",
        "a=-0.50; decimal(3,2); -0.50",
        "a=12345678901234567890123456789012345678; text; 12345678901234567890123456789012345678",
        "a=1234567890123456789012345678901234567.8; decimal(38,1);"
            + " 1234567890123456789012345678901234567.8",
        "a=12345678901234567890123456789012345678.9; text;"
            + " 12345678901234567890123456789012345678.9",
        "a='1'; text; 1",
        " a  = ' it''s ' ; text; ` it's `",
        "\"a\" = \"say \"\"x\"\"\"; text; say \"x\"",
        "a=; text; ``",
      })
  void aValueIsWhatItLooksLike(String words, String type, String text) {
    Map<String, AddedValue> added = MappingWords.added(List.of(words));
    assertThat(added).containsOnlyKeys("a");
    AddedValue value = added.values().iterator().next();
    assertThat(value.type().label()).isEqualTo(type);
    assertThat(value.spelled(value.type(), Instant.EPOCH)).isEqualTo(text);
  }
}
