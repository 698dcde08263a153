package millrace.connectors.mariadb;

import java.util.List;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Meaning;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.Type;
import millrace.data.Type.Text;

/// The types of MariaDB and MySQL and ours, in both directions.
///
/// A declaration is that of the catalog, with the character set and the collation behind a type of
/// text.
final class MariaDbTypes {

  /// Stands behind a type that is read as the text that the server makes of it.
  static final String AS_TEXT = " AS TEXT";

  private static final String UNSIGNED = " (UNSIGNED|ZEROFILL).*";
  private static final String CHARACTERS = "( CHARACTER.*)?";
  private static final String UTF8 = " CHARACTER SET UTF8.*";

  private static final int DECIMAL_DIGITS_MAX = 65;
  private static final int DECIMAL_SCALE_MAX = 30;
  private static final int UNSIGNED_DIGITS = 20;

  /// Of InnoDB, all columns together.
  private static final int KEY_BYTES_MAX = 3_072;

  private static final int BYTES_OF_CHARACTER = 4;

  /// A row holds 65,535 bytes of these.
  private static final int VARCHAR_MAX = 1_000;

  /// Keys that differ only by case stay two, as they are in the system that they come from.
  private static final String UTF8_BINARY = " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

  private MariaDbTypes() {}

  static TypeTable of(ServerTraits server) {
    return new TypeTable(server.system(), rows(server), MariaDbTypes::declaration);
  }

  private static List<Row> rows(ServerTraits server) {
    return List.of(
        Row.of(".*" + AS_TEXT, Text.UNLIMITED, MariaDbCells.TEXT.asText()),
        integer("TINYINT" + UNSIGNED, 16, 0, 255),
        integer("TINYINT", 16, Byte.MIN_VALUE, Byte.MAX_VALUE),
        integer("SMALLINT" + UNSIGNED, 32, 0, 65_535),
        integer("SMALLINT", 16, Short.MIN_VALUE, Short.MAX_VALUE),
        integer("MEDIUMINT" + UNSIGNED, 32, 0, (1 << 24) - 1),
        integer("MEDIUMINT", 32, -(1 << 23), (1 << 23) - 1),
        integer("INT(EGER)?" + UNSIGNED, 64, 0, (1L << 32) - 1),
        integer("INT(EGER)?", 32, Integer.MIN_VALUE, Integer.MAX_VALUE),
        Row.of(
            "BIGINT" + UNSIGNED,
            new Type.Decimal(UNSIGNED_DIGITS, 0),
            Cells.DECIMAL.checked(ColumnBounds.unsigned(64))),
        integer("BIGINT", 64, Long.MIN_VALUE, Long.MAX_VALUE),
        Row.of("YEAR", new Type.Int(16), Cells.INTEGER.checked(ColumnBounds::year)),
        Row.declared("BIT", (bits, _) -> bits(bits), MariaDbCells::bits),
        Row.declared("FLOAT.*", (_, _) -> new Type.Float(32), MariaDbCells::floats),
        Row.declared("(DOUBLE|REAL).*", (_, _) -> new Type.Float(64), MariaDbCells::floats),
        Row.declared(
            "(DECIMAL|NUMERIC).*",
            Type.Decimal::new,
            declared -> Cells.DECIMAL.checked(ColumnBounds.decimal(declared))),
        time("DATE", new Type.Date(), server),
        time("TIME", new Type.Time(true), server),
        time("DATETIME", new Type.Timestamp(false), server),
        time("TIMESTAMP( NULL)?", new Type.Timestamp(true), server),
        text("(VAR)?CHAR" + CHARACTERS, (length, _) -> new Text(length)),
        text("TINYTEXT" + UTF8, (_, _) -> new Text(255, Text.Unit.BYTES)),
        text("TINYTEXT" + CHARACTERS, (_, _) -> new Text(255)),
        text("TEXT" + UTF8, (_, _) -> new Text(65_535, Text.Unit.BYTES)),
        text("TEXT" + CHARACTERS, (_, _) -> new Text(65_535)),
        text("MEDIUMTEXT" + UTF8, (_, _) -> new Text((1 << 24) - 1, Text.Unit.BYTES)),
        text("MEDIUMTEXT" + CHARACTERS, (_, _) -> new Text((1 << 24) - 1)),
        text("LONGTEXT" + CHARACTERS, (_, _) -> Text.UNLIMITED),
        words("ENUM.*"),
        words("SET.*"),
        Row.of(
            "JSON",
            new Type.Json(),
            server.isMariaDb() ? MariaDbCells.JSON : MariaDbCells.SPELLED_ANEW),
        Row.of("UUID", new Type.Uuid(), Cells.SPELLED),
        Row.of("INET4", new Text(15), MariaDbCells.TEXT.asText()),
        Row.of("INET6", new Text(45), MariaDbCells.TEXT.asText()),
        Row.declared("(VAR)?BINARY|(TINY|MEDIUM|LONG)?BLOB", bytes(), MariaDbCells::bytes),
        Row.of(
            "GEOMETRY|(MULTI)?(POINT|LINESTRING|POLYGON)|GEOM(ETRY)?COLLECTION",
            new Type.Bytes(),
            GeometryBytes.CELL),
        Row.of("VECTOR", new Type.Bytes(), Cells.BYTES),
        Row.of(".*", Text.UNLIMITED, MariaDbCells.TEXT.asText()));
  }

  private static Meaning bytes() {
    return (_, _) -> new Type.Bytes();
  }

  private static Row integer(String pattern, int bits, long min, long max) {
    return Row.of(
        pattern, new Type.Int(bits), Cells.INTEGER.checked(ColumnBounds.between(min, max)));
  }

  private static Row time(String pattern, Type type, ServerTraits server) {
    return Row.declared(
        pattern,
        (_, _) -> type,
        declared -> MariaDbCells.TIMES.checked(ColumnBounds.times(type, declared, server)));
  }

  private static Row text(String pattern, Meaning type) {
    return Row.declared(
        pattern, type, declared -> MariaDbCells.PLAIN_TEXT.checked(TextBounds.of(declared)));
  }

  /// The server orders them by where they stand in the declaration.
  private static Row words(String pattern) {
    return Row.declared(
        pattern,
        (_, _) -> Text.UNLIMITED,
        declared -> MariaDbCells.PLAIN_TEXT.asText().checked(TextBounds.words(declared)));
  }

  /// What so many bits are, as a whole number without a sign.
  private static Type bits(int count) {
    if (count <= 1) {
      return new Type.Bool();
    }
    return count < 64
        ? new Type.Int(count < 16 ? 16 : count < 32 ? 32 : 64)
        : new Type.Decimal(UNSIGNED_DIGITS, 0);
  }

  /// The declaration of a new column.
  private static String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> "BIT(1)";
      case Type.Int(int bits) -> bits == 16 ? "SMALLINT" : bits == 32 ? "INT" : "BIGINT";
      case Type.Float(int bits) -> bits == 32 ? "FLOAT" : "DOUBLE";
      case Type.Decimal(int precision, int scale) -> decimal(precision, scale);
      case Type.Date _ -> "DATE";
      case Type.Time _ -> "TIME(6)";
      case Type.Timestamp(boolean zoned) -> zoned ? "TIMESTAMP(6) NULL" : "DATETIME(6)";
      // MariaDB's own type takes only some of all 128-bit numbers.
      case Type.Uuid _ -> "CHAR(36) CHARACTER SET ascii";
      case Type.Json _ -> "JSON";
      case Type.Bytes _ -> "LONGBLOB";
      case Text(int lengthMax, _) -> text(lengthMax) + UTF8_BINARY;
      case Type.Opaque _ -> "LONGTEXT" + UTF8_BINARY;
    };
  }

  /// What no DECIMAL holds is kept as text.
  private static String decimal(int precision, int scale) {
    boolean fits =
        precision > 0
            && precision <= DECIMAL_DIGITS_MAX
            && scale >= 0
            && scale <= Math.min(precision, DECIMAL_SCALE_MAX);
    return fits ? "DECIMAL(" + precision + "," + scale + ")" : "LONGTEXT" + UTF8_BINARY;
  }

  /// The declaration of a column of a key, which an index has to hold: a value that is longer is
  /// refused.
  ///
  /// @param columns how many the key has
  static String keyed(String declared, int columns) {
    String bare = TypeTable.bare(declared);
    if (bare.matches("(TINY|MEDIUM|LONG)?TEXT.*") || bare.startsWith("VARCHAR")) {
      int characters = KEY_BYTES_MAX / BYTES_OF_CHARACTER / columns;
      int lengthMax =
          bare.startsWith("VARCHAR") ? ColumnBounds.number(declared, 0, characters) : characters;
      return "VARCHAR(" + Math.min(lengthMax, characters) + ")" + UTF8_BINARY;
    }
    return bare.matches("(TINY|MEDIUM|LONG)?BLOB")
        ? "VARBINARY(" + KEY_BYTES_MAX / columns + ")"
        : declared;
  }

  private static String text(int lengthMax) {
    if (lengthMax > 0 && lengthMax <= VARCHAR_MAX) {
      return "VARCHAR(" + lengthMax + ")";
    }
    // A character is up to 4 bytes.
    return lengthMax == 0 || lengthMax > 4_000_000
        ? "LONGTEXT"
        : lengthMax <= 16_000 ? "TEXT" : "MEDIUMTEXT";
  }

  /// How `LOAD DATA` gets a column from a field of text, as SQL with `%s` for the user variable
  /// that it was read into: numbers and times in their usual spelling, bytes in hexadecimal digits.
  static String loaded(String declared) {
    String bare = TypeTable.bare(declared);
    // The text 0 would be the year 2000.
    if (bare.equals("BIT") || bare.equals("YEAR")) {
      return "CAST(%s AS UNSIGNED)";
    }
    boolean isBytes =
        bare.matches(
            "(VAR)?BINARY|.*BLOB|VECTOR|GEOMETRY|(MULTI)?(POINT|LINESTRING|POLYGON)"
                + "|GEOM(ETRY)?COLLECTION");
    return isBytes ? "UNHEX(%s)" : "%s";
  }
}
