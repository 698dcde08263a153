package millrace.data.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.guess.GuessCheck;
import millrace.data.spelling.guess.TypeGuess;
import millrace.data.spelling.time.Dates;
import millrace.data.spelling.time.PatternCompiler;
import millrace.data.spelling.time.TemporalPattern;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Whatever a field holds, it is read exactly or refused.
class SpellingFuzzTest {

  private static final List<Type> TYPES =
      List.of(
          new Type.Bool(),
          new Type.Int(16),
          new Type.Int(32),
          new Type.Int(64),
          new Type.Float(32),
          new Type.Float(64),
          new Type.Decimal(18, 4),
          new Type.Decimal(5, 5),
          new Type.Decimal(38, 10),
          Type.Decimal.UNLIMITED,
          new Type.Date(),
          new Type.Time(),
          new Type.Timestamp(false),
          new Type.Timestamp(true),
          new Type.Uuid(),
          new Type.Bytes(),
          new Type.Text(5),
          new Type.Json());

  private static final List<SpellingStyle> STYLES =
      List.of(
          SpellingStyle.ISO,
          new SpellingStyle("dd.MM.yyyy", "HHmmss", "yyyymmddhhmmss", null),
          new SpellingStyle("yyyyMMdd", "HH:mm:ss.SSS", "YYYY-MM-DD HH24:MI:SS.FF6", null));

  private static final Pattern SURROGATE = Pattern.compile("\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}");

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(100_000).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /// The first letter chooses the type, the second the style, the rest is the field. What is read
  /// and written once, reads and writes the same for ever.
  @FuzzTest
  void readsExactlyOrRefuses(byte[] data) {
    if (data.length < 2) {
      return;
    }
    Type type = TYPES.get((data[0] & 0xFF) % TYPES.size());
    SpellingStyle chosen = STYLES.get((data[1] & 0xFF) % STYLES.size());
    // None of the patterns has an offset from UTC.
    SpellingStyle style =
        type.equals(new Type.Timestamp(true))
            ? new SpellingStyle(chosen.dateFormat(), chosen.timeFormat(), null, null)
            : chosen;
    String spelling = text(data, 2);
    Vector vector = read(type, style, spelling);
    if (vector == null) {
      return;
    }
    String once;
    try {
      once = Spelled.write(type, style, vector);
    } catch (Fault.Data | Fault.User _) {
      // A pattern can't write all that the type holds, and says so.
      return;
    }
    assertThat(Spelled.again(type, style, once)).isEqualTo(once);
  }

  private static @Nullable Vector read(Type type, SpellingStyle style, String spelling) {
    if (!(type instanceof Type.Text)) {
      return Spelled.read(type, style, spelling);
    }
    byte[] field = spelling.getBytes(StandardCharsets.UTF_8);
    Vector alone = Vector.of(type, 1);
    return Spelling.parser(type, style).parse(field, 0, field.length, alone, 0) ? alone : null;
  }

  /// The first letter chooses the style, lines are fields: all of them have the type guessed.
  @FuzzTest
  void aGuessHoldsAllThatItSaw(byte[] data) {
    if (data.length < 1) {
      return;
    }
    SpellingStyle style = STYLES.get((data[0] & 0xFF) % STYLES.size());
    TypeGuess guess = new TypeGuess(style);
    List<String> fields = new ArrayList<>(List.of(text(data, 1).split("\n", -1)));
    for (String field : fields) {
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      guess.see(bytes, 0, bytes.length);
    }
    Type type = guess.type();
    ValueParser parser = Spelling.parser(type, style);
    GuessCheck check = GuessCheck.of(type, style);
    for (String field : fields) {
      assertThat(read(type, style, field)).as("%s as %s", field, type.label()).isNotNull();
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      Vector into = Vector.of(type, 1);
      assertThat(GuessCheck.parse(parser, check, bytes, 0, bytes.length, into, 0))
          .as(field)
          .isTrue();
    }
  }

  /// The first line is a pattern, the second a field.
  @FuzzTest
  void aPatternIsCompiledOrRefused(byte[] data) {
    String[] lines = text(data, 0).split("\n", 2);
    for (PatternCompiler.Kind kind : PatternCompiler.Kind.values()) {
      TemporalPattern pattern;
      try {
        pattern = PatternCompiler.compile(lines[0], kind);
      } catch (Fault.User _) {
        continue;
      }
      if (lines.length == 2) {
        byte[] field = lines[1].getBytes(StandardCharsets.UTF_8);
        long micros = pattern.read(field, 0, field.length);
        assertThat(micros == Dates.NONE || Math.abs(micros) < Long.MAX_VALUE / 2).isTrue();
      }
    }
  }

  @FuzzTest
  void jsonIsWhatAnotherParserTakesForIt(byte[] data) {
    boolean valid = JsonCheck.isValid(data, 0, data.length);
    if (Utf8.firstInvalid(data, 0, data.length) >= 0) {
      return;
    }
    assertThat(valid).isEqualTo(isJson(text(data, 0)));
  }

  /// The other parser takes half a pair of surrogates in a text, and not in a name; to the grammar
  /// (RFC 8259) both are four digits.
  private static boolean isJson(String text) {
    try {
      return !JSON.readTree(SURROGATE.matcher(text).replaceAll("\\\\u0041")).isMissingNode();
    } catch (JsonProcessingException _) {
      return false;
    }
  }

  @FuzzTest
  void utf8IsWhatTheJdkTakesForIt(byte[] data) {
    boolean valid = true;
    for (byte each : data) {
      // Which databases can't keep.
      valid &= each != 0;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data));
    } catch (CharacterCodingException _) {
      valid = false;
    }
    assertThat(Utf8.firstInvalid(data, 0, data.length) < 0).isEqualTo(valid);
  }

  private static String text(byte[] data, int from) {
    return new String(data, from, data.length - from, StandardCharsets.UTF_8);
  }
}
