package millrace.data.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import millrace.data.BytesVector;
import millrace.data.Type;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Text, JSON, UUIDs and raw bytes.
class BytesSpellingPropertyTest {

  /// Runs of plain letters, whole characters of every length, and single bytes that break them.
  @Provide
  Arbitrary<byte[]> nearlyText() {
    Arbitrary<byte[]> pieces =
        Arbitraries.oneOf(
            Arbitraries.strings().ascii().ofMaxLength(20).map(BytesSpellingPropertyTest::utf8),
            Arbitraries.strings().all().ofMaxLength(3).map(BytesSpellingPropertyTest::utf8),
            Arbitraries.of(
                    "é",
                    "日本",
                    "😀",
                    Character.toString(Character.MAX_CODE_POINT),
                    "\u0000",
                    "\uFFFF",
                    "\uD7FF")
                .map(BytesSpellingPropertyTest::utf8),
            Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(1),
            Arbitraries.of(
                    "c080", "eda080", "f4908080", "e08080", "f08080", "80", "c3", "e697", "f09f98")
                .map(HexFormat.of()::parseHex));
    return pieces.list().ofMaxSize(6).map(BytesSpellingPropertyTest::joined);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(java.util.List<byte[]> pieces) {
    java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return all.toByteArray();
  }

  @Property(tries = 5000)
  void textIsWhatTheJdkDecodesWithoutNul(@ForAll("nearlyText") byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CoderResult result = decoder.decode(in, CharBuffer.allocate(bytes.length + 1), true);
    int malformed = result.isError() ? in.position() : bytes.length;
    int nul = 0;
    while (nul < malformed && bytes[nul] != 0) {
      nul++;
    }
    int expected = nul < bytes.length ? nul : -1;
    assertThat(Utf8.firstInvalid(bytes, 0, bytes.length)).isEqualTo(expected);
    byte[] amid = new byte[bytes.length + 20];
    System.arraycopy(bytes, 0, amid, 7, bytes.length);
    assertThat(Utf8.firstInvalid(amid, 7, 7 + bytes.length))
        .isEqualTo(expected < 0 ? -1 : expected + 7);
  }

  /// Long texts are looked through a kilobyte at a time.
  @Property
  void aBadByteOfALongTextIsFoundWhereverItStands(
      @ForAll @IntRange(max = 3000) int place, @ForAll @IntRange(max = 9) int start) {
    byte[] bytes = utf8("x".repeat(start + 3001));
    assertThat(Utf8.firstInvalid(bytes, start, bytes.length)).isEqualTo(-1);
    for (int bad : new int[] {0, 0x80, 0xE9, 0xFF}) {
      bytes[start + place] = (byte) bad;
      assertThat(Utf8.firstInvalid(bytes, start, bytes.length)).isEqualTo(start + place);
    }
  }

  /// Characters of one to four bytes, the last of which are two in UTF-16.
  @Provide
  Arbitrary<String> textsOfAllPlanes() {
    return Arbitraries.of("a", "é", "水", "😀", "𠮷", "\uDBFF\uDFFD")
        .list()
        .ofMaxSize(20)
        .map(characters -> String.join("", characters));
  }

  @Property
  void aTextOfLimitedLengthIsMeasuredInItsUnits(@ForAll("textsOfAllPlanes") String text) {
    byte[] bytes = utf8(text);
    for (Type.Text.Unit unit : Type.Text.Unit.values()) {
      int length =
          switch (unit) {
            case CHARACTERS -> text.codePointCount(0, text.length());
            case UTF16 -> text.length();
            case BYTES -> bytes.length;
          };
      if (length > 0) {
        assertThat(Spelled.again(new Type.Text(length, unit), text)).isEqualTo(text);
      }
      if (length > 1) {
        assertThat(Spelled.again(new Type.Text(length - 1, unit), text)).isEqualTo("refused");
      }
    }
  }

  @Property
  void bytesReadBack(@ForAll byte[] bytes) {
    BytesVector vector = new BytesVector(1);
    vector.append(0, bytes, 0, bytes.length);
    String spelling = Spelled.write(new Type.Bytes(), SpellingStyle.ISO, vector);
    assertThat(spelling).isEqualTo("\\x" + HexFormat.of().formatHex(bytes));
    assertThat(Spelled.again(new Type.Bytes(), spelling)).isEqualTo(spelling);
  }

  /// Longer ones than most, behind the bytes of another row.
  @Property
  void manyBytesReadBack(@ForAll @Size(max = 2000) byte[] bytes) {
    BytesVector vector = new BytesVector(2);
    vector.append(0, utf8("x".repeat(17)), 0, 17);
    vector.append(1, bytes, 0, bytes.length);
    ValueFormatter formatter = Spelling.formatter(new Type.Bytes(), SpellingStyle.ISO);
    byte[] out = new byte[formatter.lengthMax(vector, 1)];
    assertThat(formatter.format(vector, 1, out, 0)).isEqualTo(out.length);
    BytesVector back = new BytesVector(1);
    ValueParser parser = Spelling.parser(new Type.Bytes(), SpellingStyle.ISO);
    assertThat(parser.parse(out, 0, out.length, back, 0)).isTrue();
    assertThat(Arrays.copyOfRange(back.bytes, back.starts[0], back.ends[0])).isEqualTo(bytes);
  }

  @Property
  void uuids(@ForAll long high, @ForAll long low) {
    String spelling = new UUID(high, low).toString();
    assertThat(Spelled.again(new Type.Uuid(), spelling)).isEqualTo(spelling);
    assertThat(Spelled.again(new Type.Uuid(), spelling.replace("-", ""))).isEqualTo(spelling);
    assertThat(Spelled.again(new Type.Uuid(), spelling.replace('-', '0'))).isEqualTo("refused");
  }

  @Test
  void textOfABatchIsAViewAndNotACopy() {
    byte[] buffer = utf8("one,two");
    BytesVector into = new BytesVector(2);
    into.view(buffer);
    ValueParser parser = Spelling.parser(Type.Text.UNLIMITED, SpellingStyle.ISO);
    assertThat(parser.parse(buffer, 4, 7, into, 1)).isTrue();
    assertThat(into.text(1)).isEqualTo("two");
    assertThat(into.bytes).isSameAs(buffer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[1,{\"a\":[null,true,1.5e3]}]",
        " \"\\u00e9\" ",
        "1",
        "null",
        "[[[[]]]]",
        "[1e+5,1E-05,-0.0E0]"
      })
  void json(String document) {
    assertThat(JsonCheck.isValid(utf8(document), 0, utf8(document).length)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{}{}",
        "1 2",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "01",
        "NaN",
        "\"\\x\"",
        "\"",
        "\"\n\"",
        "{\"a\":}",
        "not json",
        "{\"a\":1",
        "{\"a\":1} x",
        "+1",
        ".5",
        "1.",
        "-",
        "1e",
        "{\"a\"}",
        "{,}",
        "[,1]",
        "{\"a\":1,}",
        "\"\\u12g4\"",
        "\"\t\"",
        "-Infinity",
        "True",
        "{1:2}",
        "]",
        "1e+",
        "/**/1",
        "\uFEFF1",
        "nul",
        "[}",
        "1\u0000"
      })
  void whatIsNotJson(String document) {
    assertThat(JsonCheck.isValid(utf8(document), 0, utf8(document).length)).isFalse();
  }

  /// Documents, documents of which some bytes are others, and beginnings of documents.
  @Provide
  Arbitrary<String> nearlyJson() {
    Arbitrary<String> scalars =
        Arbitraries.of(
            "1",
            "-0",
            "1.5e-3",
            "0.1",
            "true",
            "false",
            "null",
            "\"\"",
            "\"a\\u00e9\\n\"",
            "\"ünï\"");
    Arbitrary<String> documents =
        Arbitraries.recursive(
            () -> scalars,
            inner ->
                Arbitraries.oneOf(
                    inner.list().ofMaxSize(3).map(items -> "[" + String.join(" , ", items) + "]"),
                    inner
                        .list()
                        .ofMaxSize(3)
                        .map(items ->
                            "{"
                                + String.join(
                                    ",", items.stream().map(item -> "\"k\" :" + item).toList())
                                + "}")),
            0,
            4);
    Arbitrary<String> others =
        Arbitraries.of("", " ", "\"", "\\", "{", "]", ",", ":", "0", "e", "\n", "x");
    return Combinators.combine(
            documents, Arbitraries.integers().between(0, 200), others, Arbitraries.of(0, 0, 1, 2))
        .as((document, at, other, change) -> {
          int place = Math.min(at, document.length());
          String rest =
              change == 2 ? "" : document.substring(Math.min(place + change, document.length()));
          return change == 0 ? document + other : document.substring(0, place) + other + rest;
        });
  }

  @Property(tries = 20_000)
  void jsonIsWhatJacksonTakesForIt(@ForAll("nearlyJson") String text) {
    byte[] bytes = utf8(text);
    boolean valid = true;
    try (JsonParser parser = JsonCheck.FACTORY.createParser(text)) {
      int depth = 0;
      int documents = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        parser.finishToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        documents += depth == 0 ? 1 : 0;
      }
      valid = documents == 1;
    } catch (IOException _) {
      valid = false;
    }
    assertThat(JsonCheck.isValid(bytes, 0, bytes.length)).as(text).isEqualTo(valid);
  }

  /// Of every document each part from its start on is the beginning of one, unless it ends in a
  /// number; and behind it there may be more.
  @Property
  void aDocumentThatIsCutIsABeginning(@ForAll("nearlyJson") String text) {
    byte[] bytes = utf8(text);
    JsonGrammar grammar = new JsonGrammar();
    Assume.that(grammar.follow(bytes, 0, bytes.length) == JsonGrammar.Result.DOCUMENT);
    Assume.that(text.startsWith("{") || text.startsWith("["));
    int end = text.strip().getBytes(StandardCharsets.UTF_8).length;
    for (int cut = 0; cut < end; cut++) {
      assertThat(grammar.follow(bytes, 0, cut)).isEqualTo(JsonGrammar.Result.BEGINNING);
      assertThat(grammar.at()).isEqualTo(cut);
    }
    byte[] twice = utf8(text + "{");
    assertThat(grammar.follow(twice, 0, twice.length)).isEqualTo(JsonGrammar.Result.MORE);
  }

  /// Whatever stands behind the bytes that are looked at.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1e, BEGINNING, 2",
        "-, BEGINNING, 1",
        "[\"a, BEGINNING, 3",
        "\"a\u0001b\", WRONG, 2",
        "[\"\u0001\"], WRONG, 2",
        "[\"\\x\"], WRONG, 3",
        "[1 2], WRONG, 3",
        "{}1, MORE, 2"
      })
  void whereTheGrammarIsBrokenOrEnds(String text, JsonGrammar.Result result, int at) {
    byte[] bytes = utf8(text);
    byte[] amid = utf8(text + "+5\",]");
    JsonGrammar grammar = new JsonGrammar();
    for (byte[] all : List.of(bytes, amid)) {
      assertThat(grammar.follow(all, 0, bytes.length)).as(text).isEqualTo(result);
      assertThat(grammar.at()).as(text).isEqualTo(at);
    }
  }

  @Test
  void aDocumentMayBeDeep() {
    String deep = "[{\"a\":".repeat(1000) + "1" + "}]".repeat(1000);
    assertThat(JsonCheck.isValid(utf8(deep), 0, deep.length())).isTrue();
    assertThat(JsonCheck.isValid(utf8(deep.replace("1}]", "1]}")), 0, deep.length())).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "\"\\ud800\", true",
    "\"\\uDC00\", true",
    "\"\\ud800x\", true",
    "\"\\ud800\\ud800\\udc00\", true",
    "\"\\ud83d\\ude00\\ude00\", true",
    "{\"a\":\"\\udfff\"}, true",
    "\"\\ud83d\\ude00\", false",
    "\"\\\\ud800\", false",
    "\"\\\\\\ud800\", true",
    "\"\\u00e9\\n\", false",
    "[1], false"
  })
  void halfOfASurrogatePair(String document, boolean has) {
    byte[] bytes = utf8(document);
    assertThat(JsonCheck.isValid(bytes, 0, bytes.length)).isTrue();
    assertThat(JsonCheck.hasHalfPair(bytes, 0, bytes.length)).isEqualTo(has);
  }
}
