package millrace.testkit;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.data.Decimals;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/// Values to try each type with, as {@link Row} holds them.
public final class TypeSamples {

  private static final String[] TEXT_PIECES = {
    "a",
    "B",
    "7",
    " ",
    ",",
    "\"",
    "'",
    "\\",
    "\n",
    "\r\n",
    "\t",
    ";",
    "|",
    "~~",
    "\\N",
    "NULL",
    "é",
    "水車",
    "\uD83C\uDF0A",
    "\u0301",
    "\uFEFF",
    "\uFFFD",
    "\u0001",
    "\u007F",
    "\u2028"
  };

  private TypeSamples() {}

  /// The kinds of types that have values to try: all but the opaque one.
  public static Set<Class<?>> kinds() {
    return kinds(Type.class).filter(kind -> kind != Type.Opaque.class).collect(Collectors.toSet());
  }

  /// Those of a group, and of the groups in it.
  private static Stream<Class<?>> kinds(Class<?> kind) {
    return kind.isSealed()
        ? Stream.of(kind.getPermittedSubclasses()).flatMap(TypeSamples::kinds)
        : Stream.of(kind);
  }

  /// One of each kind of type, with its bounds.
  public static List<Type> types() {
    return List.of(
        new Type.Bool(),
        new Type.Int(16),
        new Type.Int(32),
        new Type.Int(64),
        new Type.Float(32),
        new Type.Float(64),
        new Type.Decimal(9, 2),
        new Type.Decimal(18, 0),
        new Type.Decimal(18, 18),
        new Type.Decimal(38, 10),
        Type.Decimal.UNLIMITED,
        new Type.Date(),
        new Type.Time(),
        new Type.Timestamp(false),
        new Type.Timestamp(true),
        new Type.Uuid(),
        new Type.Json(),
        new Type.Text(20),
        Type.Text.UNLIMITED,
        new Type.Bytes());
  }

  /// Values at the edges of a type that every system with such a type has.
  public static List<Object> edges(Type type) {
    return switch (type) {
      case Type.Bool _ -> List.of(0L, 1L);
      case Type.Int(int bits) -> List.of(0L, 1L, -1L, -1L << (bits - 1), ~(-1L << (bits - 1)));
      case Type.Float(int bits) ->
          bits == 32
              ? List.of(
                  0.0,
                  -0.0,
                  1.5,
                  (double) 0.1f,
                  (double) Float.MIN_VALUE,
                  (double) -Float.MAX_VALUE)
              : List.of(
                  0.0,
                  -0.0,
                  1.5,
                  0.1,
                  1e22,
                  Math.nextUp(1e22),
                  Double.MIN_VALUE,
                  -Double.MAX_VALUE,
                  Math.PI);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal) ? decimalsInLongs(decimal) : decimalsInText(decimal);
      case Type.Date _ ->
          List.of(
              0L,
              -1L,
              day(1970, 1, 1),
              day(2024, 2, 29),
              day(1900, 2, 28),
              day(1582, 10, 4),
              day(1, 1, 1),
              day(9999, 12, 31));
      case Type.Time _ -> List.of(0L, 1L, 45_296_789_000L, Temporals.DAY_MICROS - 1);
      case Type.Timestamp _ ->
          List.of(
              0L,
              -1L,
              1L,
              moment(1969, 12, 31) + 86_399_999_999L,
              moment(2024, 2, 29) + 45_296_789_012L,
              moment(3844, 12, 31) + 86_399_000_000L,
              moment(1, 1, 1),
              moment(9999, 12, 31) + 86_399_999_999L);
      case Type.Uuid _ ->
          List.of("0".repeat(32), "f".repeat(32), "550e8400e29b41d4a716446655440000");
      case Type.Json _ ->
          List.of(
              "{}",
              "[]",
              "null",
              "true",
              "\"\"",
              "-1.50e+3",
              "{\"a\": [1,  {\"b\":\"\\u6c34 \\\" 水車\"}], \"a\":2}");
      case Type.Text(int lengthMax, _) -> texts(lengthMax);
      case Type.Bytes _ -> List.of("", "00", "0a0d5c2c22", everyByte());
      case Type.Opaque _ -> List.of();
    };
  }

  /// Values that some systems have and others do not: they must come back as they were or be
  /// refused by the name of their column.
  public static List<Object> specials(Type type) {
    return switch (type) {
      case Type.Float _ -> List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal)
              ? List.of(Decimals.NAN)
              : decimal.precision() == 0
                  ? List.of(
                      "NaN", "Infinity", "-Infinity", "9".repeat(400), "0." + "0".repeat(300) + "1")
                  : List.of("NaN");
      case Type.Date _ ->
          List.of(
              Temporals.INFINITY,
              Temporals.MINUS_INFINITY,
              day(0, 12, 31),
              day(-4712, 1, 1),
              day(10_000, 1, 1),
              day(294_276, 12, 31));
      case Type.Time _ -> List.of(Temporals.DAY_MICROS);
      case Type.Timestamp _ ->
          List.of(
              Temporals.INFINITY,
              Temporals.MINUS_INFINITY,
              moment(0, 12, 31) + 1,
              moment(-4712, 1, 1),
              moment(10_000, 1, 1) + 1,
              moment(294_246, 12, 31) + 86_399_999_999L);
      case Type.Text _ -> List.of("\u0000", "a\u0000b");
      case Type.Bool _, Type.Int _, Type.Uuid _, Type.Json _, Type.Bytes _, Type.Opaque _ ->
          List.of();
    };
  }

  /// A random value that every system with such a type has; an edge in one case of eight.
  public static Object random(Type type, RandomGenerator random) {
    List<Object> edges = edges(type);
    if (random.nextInt(8) == 0) {
      return edges.get(random.nextInt(edges.size()));
    }
    return switch (type) {
      case Type.Bool _ -> random.nextLong(2);
      case Type.Int(int bits) -> random.nextLong() >> random.nextInt(64 - bits, 64);
      case Type.Float(int bits) ->
          bits == 32
              ? (double) (float) (random.nextGaussian() * Math.pow(10, random.nextInt(-20, 20)))
              : random.nextGaussian() * Math.pow(10, random.nextInt(-200, 200));
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal)
              ? (Object) randomDigits(decimal.precision(), random).longValue()
              : spelled(randomDigits(digits(decimal), random), scaleOf(decimal, random));
      case Type.Date _ -> random.nextLong(day(1, 1, 1), day(9999, 12, 31) + 1);
      case Type.Time _ -> random.nextLong(Temporals.DAY_MICROS);
      case Type.Timestamp _ -> random.nextLong(moment(1, 1, 1), moment(9999, 12, 31));
      case Type.Uuid _ -> randomHex(16, random);
      case Type.Json _ -> "{\"n\":" + random.nextInt() + ", \"t\":\"" + random.nextInt(9) + "水\"}";
      case Type.Text(int lengthMax, _) -> randomText(lengthMax == 0 ? 60 : lengthMax, random);
      case Type.Bytes _ -> randomHex(random.nextInt(40), random);
      case Type.Opaque _ -> throw new IllegalArgumentException("only its own system can make one");
    };
  }

  /// A random row; a value in eight of nullable columns is missing.
  public static Row row(Schema schema, RandomGenerator random) {
    List<@Nullable Object> values = new ArrayList<>();
    schema
        .columns()
        .forEach(column ->
            values.add(
                column.nullable() && random.nextInt(8) == 0
                    ? null
                    : random(column.type(), random)));
    return new Row(values);
  }

  /// Values of a type for jqwik, which shrinks towards the edges.
  public static Arbitrary<Object> arbitrary(Type type) {
    return Arbitraries.oneOf(
        Arbitraries.of(edges(type)), Arbitraries.randomValue(random -> random(type, random)));
  }

  private static List<Object> decimalsInLongs(Type.Decimal type) {
    long largest =
        type.precision() == Decimals.DIGITS_IN_LONG
            ? 999_999_999_999_999_999L
            : Decimals.powerOfTen(type.precision()) - 1;
    List<Object> values = new ArrayList<>(List.of(0L, 1L, -1L, largest, -largest, 10L));
    if (type.scale() > 1 && type.scale() < type.precision()) {
      values.add(Decimals.powerOfTen(type.scale()));
    }
    return values;
  }

  private static List<Object> decimalsInText(Type.Decimal type) {
    BigInteger nines = new BigInteger("9".repeat(digits(type)));
    if (type.precision() > 0) {
      return List.of(
          spelled(BigInteger.ZERO, type.scale()),
          spelled(BigInteger.ONE, type.scale()),
          spelled(BigInteger.ONE.negate(), type.scale()),
          spelled(nines, type.scale()),
          spelled(nines.negate(), type.scale()));
    }
    return List.of(
        "0",
        "0.00",
        "-1",
        "1.50",
        "10",
        "0.000000000001",
        "-" + nines + ".1",
        "1" + "0".repeat(30));
  }

  private static int digits(Type.Decimal type) {
    return type.precision() == 0 ? 30 : type.precision();
  }

  private static int scaleOf(Type.Decimal type, RandomGenerator random) {
    return type.precision() == 0 ? random.nextInt(10) : type.scale();
  }

  private static BigInteger randomDigits(int digitsMax, RandomGenerator random) {
    int digits = random.nextInt(1, digitsMax + 1);
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    for (int i = 0; i < digits; i++) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    return new BigInteger(text.toString());
  }

  private static String spelled(BigInteger units, int scale) {
    return new java.math.BigDecimal(units, scale).toPlainString();
  }

  private static List<Object> texts(int lengthMax) {
    List<Object> values = new ArrayList<>();
    for (String text : TEXT_PIECES) {
      values.add(text);
    }
    values.addAll(
        List.of(
            "",
            "  ",
            "null",
            "\"\"",
            "\"a",
            "a\"b\",c",
            "a\nb",
            "a\rb",
            "\r",
            "\\.",
            "-",
            "\u00A0x ",
            "\uDBFF\uDFFF"));
    if (lengthMax > 0) {
      values.add("\uD83C\uDF0A".repeat(lengthMax));
      values.add("x" + " ".repeat(lengthMax - 1));
    } else {
      values.add("長い".repeat(100_000));
    }
    return values;
  }

  private static String randomText(int lengthMax, RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    int room = random.nextInt(lengthMax + 1);
    while (room > 0) {
      String piece = TEXT_PIECES[random.nextInt(TEXT_PIECES.length)];
      room -= piece.codePointCount(0, piece.length());
      if (room >= 0) {
        text.append(piece);
      }
    }
    return text.toString();
  }

  private static String randomHex(int length, RandomGenerator random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String everyByte() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static long day(int year, int month, int day) {
    return LocalDate.of(year, month, day).toEpochDay() - Temporals.EPOCH_DAYS;
  }

  private static long moment(int year, int month, int day) {
    return day(year, month, day) * Temporals.DAY_MICROS;
  }
}
