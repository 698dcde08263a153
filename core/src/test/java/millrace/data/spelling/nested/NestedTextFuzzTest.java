package millrace.data.spelling.nested;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type;
import millrace.data.Type.Opaque;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Utf8;
import org.jspecify.annotations.Nullable;

/// Whatever a text holds, it is a list or a struct, or it is refused.
class NestedTextFuzzTest {

  private static final List<Marks> SPELLINGS = List.of(Marks.values());
  private static final Type INT = new Type.Int(32);

  private static final Nested TYPE =
      new StructOf(
          List.of(
              new Member("l", Opaque.listOf(Type.Text.UNLIMITED, Marks.BRACES)),
              new Member("t", Type.Text.UNLIMITED),
              new Member("n", INT),
              new Member("g", Opaque.listOf(Opaque.listOf(INT, Marks.BRACES), Marks.BRACES))),
          Marks.BRACES);

  private static byte @Nullable [] respelled(Marks from, Marks to, byte[] text) {
    NestedRespelling respelling = new NestedRespelling(TYPE.spelled(from), TYPE.spelled(to));
    return respelling.respell(text, 0, text.length)
        ? Arrays.copyOfRange(respelling.bytes(), respelling.start(), respelling.end())
        : null;
  }

  /// The first byte chooses the spelling, the rest is the text. What is read once is the same value
  /// in every other spelling that has it.
  @FuzzTest
  void aTextIsCutOrRefused(byte[] data) {
    if (data.length < 1 || Utf8.firstInvalid(data, 1, data.length) >= 0) {
      return;
    }
    byte[] text = Arrays.copyOfRange(data, 1, data.length);
    Marks marks = SPELLINGS.get((data[0] & 0xFF) % SPELLINGS.size());
    if (marks == Marks.JSON && !JsonCheck.isValid(text, 0, text.length)) {
      return;
    }
    byte[] json = respelled(marks, Marks.JSON, text);
    if (json == null) {
      return;
    }
    assertThat(JsonCheck.isValid(json, 0, json.length))
        .as(new String(json, StandardCharsets.UTF_8))
        .isTrue();
    for (Marks other : List.of(Marks.BRACES, Marks.BRACKETS)) {
      byte[] there = respelled(Marks.JSON, other, json);
      if (there != null) {
        assertThat(respelled(other, Marks.JSON, there)).isEqualTo(json);
      }
    }
  }
}
