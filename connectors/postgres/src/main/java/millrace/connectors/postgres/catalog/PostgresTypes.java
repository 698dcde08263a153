package millrace.connectors.postgres.catalog;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.connectors.postgres.codec.BinaryCodec;
import millrace.data.Decimals;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import org.jspecify.annotations.Nullable;

/// What PostgreSQL's types are in Millrace, and the other way round.
///
/// Types of the server's own catalogue have the same number (OID) at every server; see
/// `src/include/catalog/pg_type.dat` of PostgreSQL.
public final class PostgresTypes {

  /// Begins the wire name of an enum; its values cross as their labels.
  static final String ENUM_WIRE = "enum ";

  private static final int NUMERIC = 1700;
  private static final int VARCHAR = 1043;
  private static final int BPCHAR = 1042;

  /// What is added to every type modifier.
  private static final int MODIFIER_OFFSET = 4;

  private record Known(Type type, BinaryCodec binaryCodec) {}

  private static final Map<Integer, Known> BY_OID =
      Map.ofEntries(
          entry(16, new Known(new Type.Bool(), BinaryCodec.BOOL)),
          entry(17, new Known(new Type.Bytes(), BinaryCodec.BYTES)),
          entry(18, new Known(Type.Text.UNLIMITED, BinaryCodec.NONE)), // "char"
          entry(19, new Known(Type.Text.UNLIMITED, BinaryCodec.TEXT)), // name
          entry(20, new Known(new Type.Int(64), BinaryCodec.INT8)),
          entry(21, new Known(new Type.Int(16), BinaryCodec.INT2)),
          entry(23, new Known(new Type.Int(32), BinaryCodec.INT4)),
          entry(25, new Known(Type.Text.UNLIMITED, BinaryCodec.TEXT)),
          entry(114, new Known(new Type.Json(), BinaryCodec.TEXT)),
          entry(700, new Known(new Type.Float(32), BinaryCodec.FLOAT4)),
          entry(701, new Known(new Type.Float(64), BinaryCodec.FLOAT8)),
          entry(BPCHAR, new Known(Type.Text.UNLIMITED, BinaryCodec.TEXT)),
          entry(VARCHAR, new Known(Type.Text.UNLIMITED, BinaryCodec.TEXT)),
          entry(1082, new Known(new Type.Date(), BinaryCodec.DATE)),
          entry(1083, new Known(new Type.Time(), BinaryCodec.TIME)),
          entry(1114, new Known(new Type.Timestamp(false), BinaryCodec.TIMESTAMP)),
          entry(1184, new Known(new Type.Timestamp(true), BinaryCodec.TIMESTAMP)),
          entry(NUMERIC, new Known(Type.Decimal.UNLIMITED, BinaryCodec.NUMERIC_TEXT)),
          entry(2950, new Known(new Type.Uuid(), BinaryCodec.UUID)),
          entry(3802, new Known(new Type.Json(), BinaryCodec.JSONB)));

  private static final Known UNKNOWN = new Known(new Type.Opaque(), BinaryCodec.NONE);

  /// Types beyond those above whose binary form means the same at every server: PostgreSQL 12 to 18
  /// send and take them alike.
  private static final List<Integer> PORTABLE =
      List.of(
          26, 27, 28, 29, // oid, tid, xid, cid
          600, 601, 602, 603, 604, 628, 718, // point, lseg, path, box, polygon, line, circle
          650, 869, 829, 774, // cidr, inet, macaddr, macaddr8
          790, // money
          1186, 1266, // interval, timetz
          1560, 1562, // bit, varbit
          5069, // xid8
          3220, // pg_lsn
          3614, 3615, // tsvector, tsquery
          3904, 3906, 3908, 3910, 3912, 3926, // ranges
          4072, // jsonpath
          4451, 4532, 4533, 4534, 4535, 4536); // multiranges

  private PostgresTypes() {}

  /// What the catalogue says of a column's type, a domain already replaced by what it is over.
  ///
  /// @param declared of the column itself, with its schema if that is not `pg_catalog`
  /// @param oid of the type
  /// @param modifier of the type: length, precision and scale; -1 if it has none
  /// @param kind `b` base, `e` enum, `c` composite, `r` range and so on
  /// @param element OID of an array's elements; 0 for other types
  /// @param spelled the type with its modifier, with its schema if that is not `pg_catalog`
  /// @param shape how its text holds values of other types
  /// @param parts those types
  record Entry(
      String declared,
      int oid,
      int modifier,
      String kind,
      int element,
      String spelled,
      PostgresType.Shape shape,
      List<PostgresType.NestedType> parts) {}

  /// The type of a column.
  static PostgresType of(Entry entry) {
    Known known = BY_OID.getOrDefault(entry.oid, UNKNOWN);
    if (entry.kind.equals("e")) {
      return new PostgresType(entry.declared, new Type.Opaque(), BinaryCodec.TEXT, enumWire(entry));
    }
    Type type =
        switch (entry.shape) {
          case LIST -> array(entry.parts);
          case ROW -> row(entry.parts);
          case SINGLE, RANGE, RANGES -> withModifier(entry, known.type);
        };
    BinaryCodec binaryCodec =
        type instanceof Type.Decimal decimal && Decimals.fitsLong(decimal)
            ? BinaryCodec.NUMERIC_LONG
            : known.binaryCodec;
    String wire = isPortable(entry) ? entry.spelled : "";
    return new PostgresType(entry.declared, type, binaryCodec, wire, entry.shape, entry.parts);
  }

  /// An array in an array, which a domain can be, is spelled in a way of its own.
  private static Type.Opaque array(List<PostgresType.NestedType> parts) {
    PostgresType element = parts.getFirst().type();
    return element.shape() == PostgresType.Shape.LIST
        ? new Type.Opaque()
        : Type.Opaque.listOf(element.type(), Marks.BRACES);
  }

  private static Type.Opaque row(List<PostgresType.NestedType> parts) {
    return Type.Opaque.structOf(
        parts.stream().map(part -> new Member(part.name(), part.type().type())).toList(),
        Marks.BRACES);
  }

  /// What is in a list, or in the lists in it, if that becomes an array: it stands alone. Else
  /// null.
  private static @Nullable Type elementOfArray(Type type) {
    Type element = type;
    while (element.nested() instanceof ListOf list) {
      element = list.element();
    }
    return element.equals(type) || element.nested() != null ? null : element;
  }

  private static String enumWire(Entry entry) {
    return entry.spelled.indexOf(';') < 0 ? ENUM_WIRE + entry.spelled : "";
  }

  private static boolean isPortable(Entry entry) {
    int oid = entry.element == 0 ? entry.oid : entry.element;
    // "char" is a byte, whatever its text looks like.
    return oid == 18 || PORTABLE.contains(oid) || BY_OID.containsKey(oid);
  }

  private static Type withModifier(Entry entry, Type type) {
    if (entry.modifier < MODIFIER_OFFSET) {
      return type;
    }
    int modifier = entry.modifier - MODIFIER_OFFSET;
    return switch (entry.oid) {
      case VARCHAR, BPCHAR -> new Type.Text(modifier);
      case NUMERIC -> decimal(modifier >> 16 & 0xFFFF, signed11(modifier));
      default -> type;
    };
  }

  /// The scale is 11 bits with a sign since PostgreSQL 15; before, it was never above 1,000.
  private static int signed11(int modifier) {
    return ((modifier & 0x7FF) ^ 1024) - 1024;
  }

  private static Type.Decimal decimal(int precision, int scale) {
    // numeric(3,5) holds 0.00123: at most 3 digits, all after the point. numeric(3,-2) holds
    // 12300: a decimal of ours has no such scale.
    if (scale < 0) {
      return Type.Decimal.UNLIMITED;
    }
    return new Type.Decimal(Math.max(precision, scale), scale);
  }

  /// How a new table declares a column of this type.
  public static String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> "boolean";
      case Type.Int(int bits) -> bits <= 16 ? "smallint" : bits <= 32 ? "integer" : "bigint";
      case Type.Float(int bits) -> bits <= 32 ? "real" : "double precision";
      case Type.Decimal(int precision, int scale) -> decimalDeclaration(precision, scale);
      case Type.Date _ -> "date";
      case Type.Time _ -> "time without time zone";
      case Type.Timestamp(boolean zoned) ->
          zoned ? "timestamp with time zone" : "timestamp without time zone";
      case Type.Uuid _ -> "uuid";
      case Type.Json _ -> "json";
      case Type.Text(int lengthMax, _) ->
          lengthMax == 0 || lengthMax > VARCHAR_MAX
              ? "text"
              : "character varying(" + lengthMax + ")";
      case Type.Bytes _ -> "bytea";
      case Type.Opaque _ -> arrayDeclaration(type);
    };
  }

  private static String arrayDeclaration(Type type) {
    Type element = elementOfArray(type);
    return element == null
        ? "text"
        : declaration(element) + "[]".repeat(PostgresType.dimensions(type));
  }

  private static final int VARCHAR_MAX = 10_485_760;
  private static final int PRECISION_MAX = 1000;

  private static String decimalDeclaration(int precision, int scale) {
    boolean limited = precision > 0 && precision <= PRECISION_MAX && scale <= precision;
    return limited ? "numeric(" + precision + "," + scale + ")" : "numeric";
  }

  /// The type of a new column declared as {@link #declaration} says.
  public static PostgresType made(Type type) {
    String declared = declaration(type);
    return switch (type) {
      case Type.Bool _ -> new PostgresType(declared, type, BinaryCodec.BOOL, declared);
      case Type.Int(int bits) ->
          new PostgresType(
              declared,
              type,
              bits <= 16 ? BinaryCodec.INT2 : bits <= 32 ? BinaryCodec.INT4 : BinaryCodec.INT8,
              declared);
      case Type.Float(int bits) ->
          new PostgresType(
              declared, type, bits <= 32 ? BinaryCodec.FLOAT4 : BinaryCodec.FLOAT8, declared);
      case Type.Decimal decimal ->
          new PostgresType(
              declared,
              type,
              Decimals.fitsLong(decimal) ? BinaryCodec.NUMERIC_LONG : BinaryCodec.NUMERIC_TEXT,
              declared);
      case Type.Date _ -> new PostgresType(declared, type, BinaryCodec.DATE, declared);
      case Type.Time _ -> new PostgresType(declared, new Type.Time(), BinaryCodec.TIME, declared);
      case Type.Timestamp _ -> new PostgresType(declared, type, BinaryCodec.TIMESTAMP, declared);
      case Type.Uuid _ -> new PostgresType(declared, type, BinaryCodec.UUID, declared);
      case Type.Opaque(Nested nested) when nested != null -> madeArray(type, nested, declared);
      case Type.Textual _ -> new PostgresType(declared, type, BinaryCodec.TEXT, declared);
      case Type.Bytes _ -> new PostgresType(declared, type, BinaryCodec.BYTES, declared);
    };
  }

  /// A list as an array, all else as its text.
  private static PostgresType madeArray(Type type, Nested nested, String declared) {
    Type element = elementOfArray(type);
    return element == null
        ? new PostgresType(declared, type, BinaryCodec.TEXT, declared)
        : new PostgresType(
            declared,
            new Type.Opaque(nested.spelled(Marks.BRACES)),
            BinaryCodec.NONE,
            declared,
            PostgresType.Shape.LIST,
            List.of(new PostgresType.NestedType("", made(element))));
  }

  /// The signature of rows in binary: the wire names in column order; null if a column has none.
  public static @Nullable String wireSignature(List<PostgresType> types) {
    return types.stream().anyMatch(type -> type.wire().isEmpty())
        ? null
        : types.stream().map(PostgresType::wire).collect(Collectors.joining(";"));
  }

  /// The wire names of a signature.
  public static List<String> wires(String signature) {
    return List.of(signature.split(";", -1));
  }
}
