package millrace.data.spelling;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.Type;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Reads and writes single values the way connectors do, for tests.
public final class Spelled {

  /// Junk on both sides shows who reads beyond the field.
  private static final String BEFORE = "9";

  private static final String AFTER = "7.5e1";

  private Spelled() {}

  /// A vector whose only row holds the value, or null if the spelling is refused.
  public static @Nullable Vector read(Type type, SpellingStyle style, String spelling) {
    byte[] field = spelling.getBytes(StandardCharsets.UTF_8);
    Vector alone = Vector.of(type, 1);
    boolean alonePossible = Spelling.parser(type, style).parse(field, 0, field.length, alone, 0);
    byte[] record = (BEFORE + spelling + AFTER).getBytes(StandardCharsets.UTF_8);
    Vector amid = Vector.of(type, 1);
    amid.nulls[0] = true;
    boolean amidPossible = Spelling.parser(type, style).parse(record, 1, 1 + field.length, amid, 0);
    if (alonePossible != amidPossible) {
      throw new AssertionError("what stands around the field matters: " + spelling);
    }
    if (!amidPossible) {
      return null;
    }
    if (amid.nulls[0] || !write(type, style, alone).equals(write(type, style, amid))) {
      throw new AssertionError("what stands around the field matters: " + spelling);
    }
    return amid;
  }

  /// How the value of row 0 is spelled.
  public static String write(Type type, SpellingStyle style, Vector vector) {
    ValueFormatter formatter = Spelling.formatter(type, style);
    int lengthMax = formatter.lengthMax(vector, 0);
    byte[] out = new byte[lengthMax + 20];
    Arrays.fill(out, (byte) '#');
    int end = formatter.format(vector, 0, out, 3);
    if (end > 3 + lengthMax || out[2] != '#' || out[3 + lengthMax] != '#') {
      throw new AssertionError(
          "writes beyond what it says: " + new String(out, StandardCharsets.UTF_8));
    }
    return new String(out, 3, end - 3, StandardCharsets.UTF_8);
  }

  /// The spelling after reading and writing, or `refused`.
  public static String again(Type type, SpellingStyle style, String spelling) {
    Vector vector = read(type, style, spelling);
    return vector == null ? "refused" : write(type, style, vector);
  }

  public static String again(Type type, String spelling) {
    return again(type, SpellingStyle.ISO, spelling);
  }
}
