package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.duckdb.read.ResultEncoding;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Column;
import millrace.data.Decimals;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import millrace.fault.Fault;

/// DuckDB's types and ours, in both directions.
public final class DuckDbTypes {

  /// The name under which columns carry DuckDB's declarations.
  public static final String SYSTEM = "duckdb";

  /// The most digits of a DECIMAL.
  public static final int DIGITS_MAX = 38;

  private static final Type.Int INT16 = new Type.Int(16);
  private static final Type.Int INT32 = new Type.Int(32);
  private static final Type.Int INT64 = new Type.Int(64);
  private static final Type.Float FLOAT32 = new Type.Float(32);
  private static final Type.Float FLOAT64 = new Type.Float(64);
  private static final Type.Timestamp LOCAL = new Type.Timestamp(false);
  private static final Type.Timestamp ZONED = new Type.Timestamp(true);

  /// How a column of DuckDB is read.
  ///
  /// @param type what its values mean
  /// @param fetch how they lie in the result
  /// @param sql the expression to select, with `%s` for the column
  public record Reading(Type type, ResultEncoding fetch, String sql) {}

  private record Row(String name, Type type, ResultEncoding fetch, String sql) {}

  /// Every type with a meaning outside of DuckDB. All others, and lists, structs, maps and enums,
  /// cross as DuckDB's own text.
  private static final List<Row> TABLE =
      List.of(
          new Row("BOOLEAN", new Type.Bool(), ResultEncoding.INT8, "%s"),
          new Row("TINYINT", INT16, ResultEncoding.INT8, "%s"),
          new Row("SMALLINT", INT16, ResultEncoding.INT16, "%s"),
          new Row("INTEGER", INT32, ResultEncoding.INT32, "%s"),
          new Row("BIGINT", INT64, ResultEncoding.INT64, "%s"),
          new Row("UTINYINT", INT16, ResultEncoding.UINT8, "%s"),
          new Row("USMALLINT", INT32, ResultEncoding.UINT16, "%s"),
          new Row("UINTEGER", INT64, ResultEncoding.UINT32, "%s"),
          new Row("UBIGINT", new Type.Decimal(20, 0), ResultEncoding.TEXT, "CAST(%s AS VARCHAR)"),
          new Row("HUGEINT", new Type.Decimal(39, 0), ResultEncoding.TEXT, "CAST(%s AS VARCHAR)"),
          new Row("UHUGEINT", new Type.Decimal(39, 0), ResultEncoding.TEXT, "CAST(%s AS VARCHAR)"),
          new Row("FLOAT", FLOAT32, ResultEncoding.FLOAT, "%s"),
          new Row("DOUBLE", FLOAT64, ResultEncoding.DOUBLE, "%s"),
          new Row("DATE", new Type.Date(), ResultEncoding.DAYS, "%s"),
          new Row("TIME", new Type.Time(), ResultEncoding.INT64, "epoch_us(%s)"),
          new Row("TIMESTAMP", LOCAL, ResultEncoding.MICROS, "%s"),
          new Row("TIMESTAMP_S", LOCAL, ResultEncoding.MICROS, "CAST(%s AS TIMESTAMP)"),
          new Row("TIMESTAMP_MS", LOCAL, ResultEncoding.MICROS, "CAST(%s AS TIMESTAMP)"),
          new Row("TIMESTAMP WITH TIME ZONE", ZONED, ResultEncoding.MICROS, "%s"),
          new Row("UUID", new Type.Uuid(), ResultEncoding.UUID, "CAST(%s AS UHUGEINT)"),
          new Row("JSON", new Type.Json(), ResultEncoding.TEXT, "CAST(%s AS VARCHAR)"),
          new Row("VARCHAR", Type.Text.UNLIMITED, ResultEncoding.TEXT, "%s"),
          new Row("BLOB", new Type.Bytes(), ResultEncoding.HEX, "hex(%s)"));

  private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),\\s*(\\d+)\\)");

  /// Types, also within lists and structs, whose text does not tell all that the value holds.
  private static final Pattern LOSSY_TEXT = Pattern.compile("\\b(UNION\\(|VARIANT\\b|GEOMETRY\\b)");

  private static final Pattern JSON_WITHIN =
      Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\bJSON\\b");

  private static final Pattern NESTED = Pattern.compile("(STRUCT|MAP|TUPLE)\\(");

  private static final Pattern QUOTED = Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"");

  /// The same for whoever writes to a table: what becomes of its values, the load knows.
  static final TypeTable TYPES =
      new TypeTable(
          SYSTEM,
          Stream.of(
                  TABLE.stream()
                      .map(row ->
                          TypeTable.Row.declared(
                              Pattern.quote(row.name), (_, _) -> row.type, DuckDbTypes::cell)),
                  Stream.of(
                      TypeTable.Row.declared("DECIMAL", Type.Decimal::new, DuckDbTypes::cell),
                      new TypeTable.Row(
                          Pattern.compile(".*", Pattern.DOTALL),
                          DuckDbTypes::nested,
                          DuckDbTypes::cell)))
              .flatMap(Function.identity())
              .toList(),
          DuckDbTypes::declaration);

  private DuckDbTypes() {}

  /// Values come and go in a way of DuckDB's own.
  private static TypeTable.Cell cell(String declared) {
    throw new Fault.Bug("values of " + declared + " do not cross one by one", null);
  }

  /// What a list or a struct holds; nothing that others have, if there is a map in it, an interval
  /// or the like.
  private static Type nested(String declared) {
    Type type = part(new TypeCursor(declared));
    return type instanceof Type.Opaque ? type : new Type.Opaque();
  }

  private static Type part(TypeCursor declared) {
    Type type = declared.skips("STRUCT(") ? struct(declared) : single(declared.word());
    while (declared.skipsList()) {
      type = Type.Opaque.listOf(type, Marks.BRACKETS);
    }
    return type;
  }

  private static Type struct(TypeCursor declared) {
    List<Member> members = new ArrayList<>();
    do {
      members.add(new Member(declared.name(), part(declared)));
    } while (declared.skips(", "));
    declared.skip(")");
    return Type.Opaque.structOf(members, Marks.BRACKETS);
  }

  private static Type single(String declared) {
    if (DECIMAL.matcher(declared).matches()) {
      return decimal(declared);
    }
    return TABLE.stream()
        .filter(row -> row.name.equals(declared))
        .map(Row::type)
        .findFirst()
        .orElse(new Type.Opaque());
  }

  /// How a column of that declaration is read.
  ///
  /// @param declared the type as DuckDB's catalogue spells it, for example `DECIMAL(12,2)`
  public static Reading reading(String declared) {
    if (DECIMAL.matcher(declared).matches()) {
      Type.Decimal decimal = decimal(declared);
      return new Reading(decimal, fetch(decimal), isLong(decimal) ? "%s" : "CAST(%s AS VARCHAR)");
    }
    for (Row row : TABLE) {
      if (row.name.equals(declared)) {
        return new Reading(row.type, row.fetch, row.sql);
      }
    }
    Type type = TYPES.type(declared);
    String texts = jsonAsText(declared);
    String same =
        type.nested() == null || texts.equals(declared)
            ? "%s"
            : "CAST(%s AS " + texts.replace("%", "%%") + ")";
    return new Reading(type, ResultEncoding.TEXT, "CAST(" + same + " AS VARCHAR)");
  }

  /// A type with VARCHAR in the place of JSON: DuckDB writes JSON into the text of a list as it is,
  /// so that none can tell where it ends, and takes such a text for one document.
  public static String jsonAsText(String declared) {
    return JSON_WITHIN
        .matcher(declared)
        .replaceAll(found ->
            Matcher.quoteReplacement(found.group().equals("JSON") ? "VARCHAR" : found.group()));
  }

  /// What the column is to the rest of the world.
  public static Column column(ColumnInfo column) {
    return column.column(TYPES);
  }

  private static boolean isLong(Type.Decimal decimal) {
    return Decimals.fitsLong(decimal);
  }

  /// DuckDB holds a decimal in the smallest integer in which its digits fit.
  private static ResultEncoding fetch(Type.Decimal decimal) {
    if (!isLong(decimal)) {
      return ResultEncoding.DECIMAL_TEXT;
    }
    return decimal.precision() <= 4
        ? ResultEncoding.INT16
        : decimal.precision() <= 9 ? ResultEncoding.INT32 : ResultEncoding.INT64;
  }

  /// The digits of a DECIMAL as it is declared.
  public static Type.Decimal decimal(String declared) {
    Matcher matcher = DECIMAL.matcher(declared);
    if (!matcher.matches()) {
      throw new Fault.Bug(declared + " is no DECIMAL", null);
    }
    return new Type.Decimal(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  /// The declaration of a new table's column: its own if it comes from DuckDB.
  public static String declaration(Column column) {
    return TYPES.declaration(column);
  }

  private static String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> "BOOLEAN";
      case Type.Int(int bits) -> bits == 16 ? "SMALLINT" : bits == 32 ? "INTEGER" : "BIGINT";
      case Type.Float(int bits) -> bits == 32 ? "FLOAT" : "DOUBLE";
      case Type.Decimal decimal -> fits(decimal) ? declaration(decimal) : "VARCHAR";
      case Type.Date _ -> "DATE";
      case Type.Time _ -> "TIME";
      case Type.Timestamp(boolean zoned) -> zoned ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP";
      case Type.Uuid _ -> "UUID";
      case Type.Json _ -> "JSON";
      case Type.Bytes _ -> "BLOB";
      case Type.Text _ -> "VARCHAR";
      case Type.Opaque(Nested nested) ->
          nested == null || !isExact(type)
              ? "VARCHAR"
              : switch (nested) {
                case ListOf list -> declaration(list.element()) + "[]";
                case StructOf struct ->
                    struct.members().stream()
                        .map(each -> DuckDbSql.name(each.name()) + " " + declaration(each.type()))
                        .collect(Collectors.joining(", ", "STRUCT(", ")"));
              };
    };
  }

  /// Whether what is in a list or a struct has the same type here, and names that differ in more
  /// than case.
  private static boolean isExact(Type type) {
    return switch (type.nested()) {
      case null -> !(type instanceof Type.Decimal decimal) || fits(decimal);
      case ListOf list -> isExact(list.element());
      case StructOf(List<Member> members, _) ->
          members.stream().allMatch(each -> isExact(each.type()) && !each.name().isEmpty())
              && members.stream()
                      .map(each -> each.name().toLowerCase(Locale.ROOT))
                      .distinct()
                      .count()
                  == members.size();
    };
  }

  /// Whether some DECIMAL holds every number of that type, NaN aside.
  public static boolean fits(Type.Decimal decimal) {
    return decimal.precision() > 0 && decimal.scale() <= DIGITS_MAX && width(decimal) <= DIGITS_MAX;
  }

  /// PostgreSQL's numeric(2,5) has five digits after the point, the first three of them zero, and
  /// numeric(3,-2) has two zeros before it: both need a wider DECIMAL.
  private static int width(Type.Decimal decimal) {
    return decimal.scale() < 0
        ? decimal.precision() - decimal.scale()
        : Math.max(decimal.precision(), decimal.scale());
  }

  private static String declaration(Type.Decimal decimal) {
    return "DECIMAL(" + width(decimal) + "," + Math.max(0, decimal.scale()) + ")";
  }

  /// Whether a value of that declaration can be had again from its text.
  public static boolean keepsValueAsText(String declared) {
    String bare = withoutQuoted(declared);
    boolean hasJson = isNested(declared) && bare.contains("JSON");
    return !LOSSY_TEXT.matcher(bare).find() && (!hasJson || TYPES.type(declared).nested() != null);
  }

  /// Whether a type is one of that name, or has one within it.
  public static boolean holds(String declared, String name) {
    return Pattern.compile("\\b" + name + "\\b").matcher(withoutQuoted(declared)).find();
  }

  /// Whether it is a list, a struct, a map or a tuple.
  public static boolean isNested(String declared) {
    String bare = withoutQuoted(declared);
    return bare.endsWith("]") || NESTED.matcher(bare).lookingAt();
  }

  /// The declaration without the values and names in it that a user chose.
  public static String withoutQuoted(String declared) {
    return QUOTED.matcher(declared).replaceAll("");
  }

  /// What the values of a target's column must be handed over as: the type in the table above, or
  /// text for DuckDB to read.
  ///
  /// @param incoming the column that goes there
  public static Type accepted(String declared, Column incoming) {
    Type type = reading(declared).type;
    if (!(type instanceof Type.Opaque)) {
      return type;
    }
    String asDeclared = incoming.declaredIn(SYSTEM);
    boolean others = incoming.type().nested() != null || incoming.type() instanceof Type.Json;
    if (type.nested() != null && others) {
      return type;
    }
    if (incoming.type() instanceof Type.Opaque && asDeclared != null) {
      return type;
    }
    return declared.equals("TIMESTAMP_NS") && incoming.type() instanceof Type.Timestamp
        ? LOCAL
        : Type.Text.UNLIMITED;
  }
}
