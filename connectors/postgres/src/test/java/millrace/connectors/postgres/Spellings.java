package millrace.connectors.postgres;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import millrace.data.Type;

/// Makes spellings of values: those at the edges of each type, others by chance, and both with
/// something wrong about them. What they mean is for others to say.
final class Spellings {

  private static final String DIGITS = "0123456789";

  /// What mutation puts in: what means something to one type or another, and look-alikes.
  private static final List<String> PIECES =
      List.of(
          "0",
          "1",
          "5",
          "9",
          "00",
          "+",
          "-",
          ".",
          ",",
          ":",
          ";",
          "/",
          " ",
          "  ",
          "\t",
          "\n",
          "\r",
          "\f",
          "e",
          "E",
          "e5",
          "T",
          "t",
          "Z",
          "z",
          "x",
          "X",
          "_",
          "\\",
          "\"",
          "'",
          "{",
          "}",
          "[",
          "]",
          "AD",
          " BC",
          " bc",
          "BC",
          "am",
          " PM",
          "+00",
          "-07:30",
          "+15:59:59",
          " UTC",
          "NaN",
          "inf",
          "f",
          "d",
          "L",
          "٣",
          "０",
          "−",
          "\u00a0",
          "é",
          "水",
          "😀");

  private final RandomGenerator random;

  Spellings(RandomGenerator random) {
    this.random = random;
  }

  /// Edges, then as many by chance, then as many again that were one of those before.
  List<byte[]> of(Type type, int count) {
    List<String> whole = new ArrayList<>(edges(type));
    Supplier<String> chance = chance(type);
    for (int i = 0; i < count; i++) {
      whole.add(chance.get());
    }
    List<byte[]> all = new ArrayList<>();
    for (String each : whole) {
      all.add(each.getBytes(StandardCharsets.UTF_8));
    }
    for (int i = 0; i < count; i++) {
      all.add(mutated(all.get(below(whole.size()))));
    }
    return all;
  }

  private static List<String> edges(Type type) {
    return switch (type) {
      case Type.Bool _ -> SpellingEdges.BOOLEANS;
      case Type.Int _ -> SpellingEdges.INTEGERS;
      case Type.Decimal decimal -> SpellingEdges.decimals(decimal);
      case Type.Float _ -> SpellingEdges.FLOATS;
      case Type.Date _ -> SpellingEdges.DATES;
      case Type.Time _ -> SpellingEdges.TIMES;
      case Type.Timestamp(boolean zoned) -> SpellingEdges.timestamps(zoned);
      case Type.Uuid _ -> SpellingEdges.UUIDS;
      case Type.Json _ -> SpellingEdges.JSON;
      case Type.Bytes _ -> SpellingEdges.BYTES;
      case Type.Text _, Type.Opaque _ -> SpellingEdges.TEXTS;
    };
  }

  private Supplier<String> chance(Type type) {
    return switch (type) {
      case Type.Bool _ -> () -> anyCase(pick(SpellingEdges.BOOLEANS));
      case Type.Int(int bits) -> () -> integer(bits);
      case Type.Decimal decimal -> () -> decimal(decimal);
      case Type.Float(int bits) -> () -> real(bits);
      case Type.Date _ -> this::date;
      case Type.Time _ -> this::time;
      case Type.Timestamp(boolean zoned) -> () -> timestamp(zoned);
      case Type.Uuid _ -> this::uuid;
      case Type.Json _ -> () -> json(0);
      case Type.Bytes _ -> this::bytes;
      case Type.Text _, Type.Opaque _ -> this::text;
    };
  }

  private int below(int limit) {
    return random.nextInt(limit);
  }

  private boolean oneIn(int many) {
    return below(many) == 0;
  }

  private <T> T pick(List<T> from) {
    return from.get(below(from.size()));
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append(DIGITS.charAt(below(DIGITS.length())));
    }
    return digits.toString();
  }

  private String sign() {
    return oneIn(3) ? "-" : oneIn(6) ? "+" : "";
  }

  private String zeros() {
    return oneIn(5) ? "0".repeat(below(25)) : "";
  }

  private String anyCase(String text) {
    return oneIn(2)
        ? text
        : oneIn(2) ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT);
  }

  private String integer(int bits) {
    if (oneIn(4)) {
      return sign() + zeros() + digits(1 + below(21));
    }
    // Now and then one bit more than fits.
    long value = random.nextLong() >> (64 - Math.min(64, 1 + below(bits + 1)));
    return value < 0 ? "-" + zeros() + Long.toUnsignedString(-value) : sign() + zeros() + value;
  }

  private String decimal(Type.Decimal type) {
    boolean limited = type.precision() > 0;
    int wholes = limited ? Math.max(0, type.precision() - type.scale()) : 60;
    int fraction = limited ? type.scale() : 60;
    String whole = digits(below(wholes + 2));
    String part = digits(below(fraction + 2));
    String number = oneIn(4) ? sparse(whole) + "." + sparse(part) : whole + "." + part;
    return sign()
        + zeros()
        + (part.isEmpty() && oneIn(2) ? whole : number)
        + (oneIn(12) ? "e" + (below(40) - 20) : "");
  }

  /// Mostly zeros: groups of them are left out in binary.
  private String sparse(String digits) {
    char[] all = digits.toCharArray();
    for (int i = 0; i < all.length; i++) {
      all[i] = oneIn(8) ? all[i] : '0';
    }
    return new String(all);
  }

  private String real(int bits) {
    double value =
        bits == 32
            ? Float.intBitsToFloat(random.nextInt())
            : Double.longBitsToDouble(random.nextLong());
    return switch (below(7)) {
      case 0 -> sign() + zeros() + digits(below(20)) + "." + digits(1 + below(20));
      case 1 -> sign() + digits(1 + below(18)) + pick(List.of("e", "E", "e+", "e-")) + below(350);
      case 2 -> nearlyHalfWay(bits, value);
      case 3 -> nearlyHalfWay(bits, random.nextInt() / Math.pow(10, below(10)));
      case 4 -> Double.toString(random.nextInt() / Math.pow(10, below(10)));
      default -> bits == 32 ? Float.toString((float) value) : Double.toString(value);
    };
  }

  /// The number between two neighbours, in so many digits that it is exactly that, a little more or
  /// less, or as near as a double tells: where rounding twice shows.
  private String nearlyHalfWay(int bits, double value) {
    double near = bits == 32 ? (float) (value % 1e9) : value % 1e30;
    double next = bits == 32 ? Math.nextUp((float) near) : Math.nextUp(near);
    if (!Double.isFinite(near) || !Double.isFinite(next)) {
      return Double.toString(value);
    }
    BigDecimal half =
        new BigDecimal(near).add(new BigDecimal(next)).multiply(new BigDecimal("0.5"));
    if (oneIn(2)) {
      return half.round(new MathContext(14 + below(5))).toString();
    }
    BigDecimal little = half.ulp().movePointLeft(1 + below(3));
    BigDecimal shown = half.add(little.multiply(BigDecimal.valueOf(below(3) - 1)));
    return oneIn(2) ? shown.toPlainString() : shown.toString();
  }

  private String date() {
    int year =
        switch (below(4)) {
          case 0 -> below(10_000);
          case 1 -> below(6_000_000);
          default -> 1890 + below(200);
        };
    String era = oneIn(6) ? " BC" : "";
    String shown = oneIn(8) ? "%0" + (1 + below(9)) + "d" : "%04d";
    // Now and then a month or day that is not, and often the last ones.
    int month = oneIn(3) ? 2 : 1 + below(oneIn(10) ? 14 : 12);
    int day = oneIn(3) ? 27 + below(6) : 1 + below(28);
    return shown.formatted(year) + "-%02d-%02d".formatted(month, day) + era;
  }

  private String time() {
    int hours = oneIn(8) ? 23 + below(3) : below(24);
    int minutes = oneIn(15) ? 59 + below(3) : below(60);
    int seconds = oneIn(15) ? 59 + below(3) : below(60);
    String clock = "%02d:%02d".formatted(hours, oneIn(8) ? 0 : minutes);
    if (oneIn(6)) {
      return clock;
    }
    String all = clock + ":%02d".formatted(oneIn(8) ? 0 : seconds);
    return oneIn(2) ? all : all + "." + (oneIn(4) ? sparse(digits(9)) : digits(1 + below(9)));
  }

  private String timestamp(boolean zoned) {
    String date = date();
    boolean bc = date.endsWith(" BC");
    String day = bc ? date.substring(0, date.length() - 3) : date;
    String clock = oneIn(10) ? "" : pick(List.of(" ", " ", "T")) + time();
    String offset = zoned == oneIn(12) ? "" : offset();
    return day + clock + offset + (bc ? " BC" : "");
  }

  private String offset() {
    String hours = (oneIn(2) ? "+" : "-") + "%02d".formatted(oneIn(8) ? below(20) : below(16));
    String minutes = "%02d".formatted(oneIn(12) ? 59 + below(3) : below(60));
    return switch (below(7)) {
      case 0 -> "Z";
      case 1 -> hours + minutes;
      case 2 -> hours + ":" + minutes;
      case 3 -> hours + ":" + minutes + ":" + "%02d".formatted(below(61));
      case 4 -> hours + minutes + minutes;
      default -> hours;
    };
  }

  private String uuid() {
    String uuid = new UUID(random.nextLong(), random.nextLong()).toString();
    return switch (below(6)) {
      case 0 -> uuid.replace("-", "");
      case 1 -> "{" + uuid + "}";
      case 2 -> uuid.replace("-", "").replaceAll("(....)(?=.)", "$1-");
      default -> anyCase(uuid);
    };
  }

  private String bytes() {
    byte[] value = new byte[below(40)];
    random.nextBytes(value);
    return switch (below(8)) {
      case 0 -> "\\x" + HexFormat.of().withUpperCase().formatHex(value);
      case 1 -> "\\x" + HexFormat.ofDelimiter(" ").formatHex(value);
      case 2 -> text();
      default -> "\\x" + HexFormat.of().formatHex(value);
    };
  }

  private String json(int depth) {
    String space = oneIn(4) ? pick(List.of(" ", "\n", "\t\r")) : "";
    String value =
        switch (below(depth > 3 ? 4 : 6)) {
          case 0 -> pick(List.of("null", "true", "false"));
          case 1 -> sign() + digits(1 + below(4)) + (oneIn(2) ? "." + digits(1 + below(20)) : "");
          case 2 -> below(1000) + pick(List.of("e5", "E-5", "e+400", ".0"));
          case 3 -> jsonString();
          case 4 -> "[" + json(depth + 1) + (oneIn(2) ? "" : "," + json(depth + 1)) + "]";
          default -> "{" + jsonString() + space + ":" + json(depth + 1) + "}";
        };
    return space + value + space;
  }

  private String jsonString() {
    String plain = text().replaceAll("[\\x00-\\x1f\"\\\\]", "");
    String escape = pick(List.of("", "", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\\/"));
    return '"' + plain + escape + '"';
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    int pieces = oneIn(10) ? below(60) : below(6);
    for (int i = 0; i < pieces; i++) {
      text.append(oneIn(3) ? pick(PIECES) : (char) (' ' + below(95)));
    }
    return text.toString();
  }

  /// With one to three things done to it.
  private byte[] mutated(byte[] spelling) {
    byte[] changed = spelling;
    for (int i = 0; i < 1 || oneIn(4); i++) {
      changed = mutatedOnce(changed);
    }
    return changed;
  }

  private byte[] mutatedOnce(byte[] from) {
    if (from.length == 0) {
      return utf8(pick(PIECES));
    }
    int at = below(from.length);
    int to = Math.min(from.length, at + 1 + (oneIn(3) ? below(4) : 0));
    byte[] part = Arrays.copyOfRange(from, at, to);
    return switch (below(8)) {
      case 0 -> replaced(from, at, at + 1, new byte[] {(byte) below(256)});
      case 1 -> replaced(from, at, at + 1, new byte[] {(byte) (from[at] + (oneIn(2) ? 1 : -1))});
      case 2 -> replaced(from, at, to, new byte[0]);
      case 3 -> replaced(from, at, at, part);
      case 4 -> replaced(from, at, at, utf8(pick(PIECES)));
      case 5 -> replaced(from, at, to, utf8(pick(PIECES)));
      case 6 -> replaced(from, from.length, from.length, utf8(pick(PIECES)));
      default -> replaced(from, oneIn(2) ? 0 : at, oneIn(2) ? at : to, new byte[0]);
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] replaced(byte[] from, int start, int end, byte[] by) {
    int stop = Math.max(start, end);
    byte[] made = Arrays.copyOf(from, from.length - (stop - start) + by.length);
    System.arraycopy(by, 0, made, start, by.length);
    System.arraycopy(from, stop, made, start + by.length, from.length - stop);
    return made;
  }
}
