package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.guess.GuessCheck;
import millrace.data.spelling.number.Floats;
import millrace.data.spelling.number.NumberStyle;
import millrace.data.spelling.time.PatternCompiler;

/// Whether a field may be a value of a column whose type was guessed from other fields. Numbers are
/// of one kind, whatever digits they have, and so are dates and times. One thread.
final class ValueKinds {

  private static final List<Type> TIMES =
      List.of(
          new Type.Date(), new Type.Time(), new Type.Timestamp(false), new Type.Timestamp(true));

  private final SpellingStyle style;
  private final Floats floats = new Floats(Double.SIZE);

  ValueKinds(SpellingStyle style) {
    this.style = style;
  }

  /// Whether the field is a value of the kind of that type.
  boolean isOne(String field, Type type) {
    return switch (type) {
      case Type.Int _, Type.Decimal _ -> isNumber(field);
      case Type.Float _ -> isNumber(field) || is(field, type);
      case Type.Temporal _ ->
          TIMES.stream().filter(this::isSpelled).anyMatch(each -> parses(field, each));
      case Type.Bool _, Type.Uuid _ -> is(field, type);
      case Type.Json _ -> (field.startsWith("{") || field.startsWith("[")) && is(field, type);
      case Type.Text _, Type.Bytes _, Type.Opaque _ -> true;
    };
  }

  private boolean isNumber(String field) {
    if (!style.numbers().equals(NumberStyle.PLAIN)) {
      return parses(field, Type.Decimal.UNLIMITED);
    }
    byte[] bytes = bytes(field);
    double nearest = floats.nearest(bytes, 0, bytes.length);
    return Double.isFinite(nearest);
  }

  /// Whether the format of timestamps, if there is one, tells those of that type.
  private boolean isSpelled(Type type) {
    String format = style.timestampFormat();
    return format == null
        || !(type instanceof Type.Timestamp(boolean zoned))
        || zoned == PatternCompiler.hasOffset(format);
  }

  private boolean parses(String field, Type type) {
    byte[] bytes = bytes(field);
    return Spelling.parser(type, style).parse(bytes, 0, bytes.length, Vector.of(type, 1), 0);
  }

  private boolean is(String field, Type type) {
    byte[] bytes = bytes(field);
    ValueParser parser = Spelling.parser(type, style);
    GuessCheck check = GuessCheck.of(type, style);
    return GuessCheck.parse(parser, check, bytes, 0, bytes.length, Vector.of(type, 1), 0);
  }

  private static byte[] bytes(String field) {
    return field.getBytes(StandardCharsets.UTF_8);
  }
}
