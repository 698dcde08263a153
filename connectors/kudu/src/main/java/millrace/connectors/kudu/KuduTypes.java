package millrace.connectors.kudu;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Type;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnTypeAttributes;
import org.apache.kudu.util.CharUtil;
import org.apache.kudu.util.DecimalUtil;
import org.jspecify.annotations.Nullable;

/// Kudu's types and ours.
///
/// | Kudu | ours | a new column for |
/// |---|---|---|
/// | bool | boolean | boolean |
/// | int8 | int16 | |
/// | int16, int32, int64 | int16, int32, int64 | the same |
/// | float, double | float32, float64 | the same |
/// | decimal(p,s) | decimal(p,s) | decimals of at most 38 digits |
/// | string | text | text, json, time, uuid, decimals without limit, types of other systems |
/// | varchar(n) | text(n) | |
/// | binary | bytes | bytes |
/// | date | date | date |
/// | unixtime_micros | timestamptz, or timestamp | both |
///
/// A column of unixtime_micros counts from 1970 in UTC. It is an instant, unless the endpoint or
/// the column's comment says that its times have no zone.
public final class KuduTypes {

  /// The connector's name.
  public static final String SYSTEM = "kudu";

  /// The comment of a column that was made for times without a zone.
  private static final String PLAIN = "timestamp without time zone";

  private static final Pattern NUMBERS = Pattern.compile("(\\w+)\\((\\d+)(?:,(\\d+))?\\)");

  private KuduTypes() {}

  /// What a column is to the rest of the world.
  ///
  /// @param plainTimes whether its times have no zone; null if the column's comment tells
  public static Column column(ColumnSchema column, @Nullable Boolean plainTimes) {
    return new Column(
        column.getName(),
        type(column, plainTimes),
        column.isNullable(),
        new Native(SYSTEM, declaration(column)));
  }

  private static Type type(ColumnSchema column, @Nullable Boolean plainTimes) {
    return switch (column.getType()) {
      case BOOL -> new Type.Bool();
      case INT8, INT16 -> new Type.Int(16);
      case INT32 -> new Type.Int(32);
      case INT64 -> new Type.Int(64);
      case FLOAT -> new Type.Float(32);
      case DOUBLE -> new Type.Float(64);
      case DECIMAL ->
          new Type.Decimal(
              column.getTypeAttributes().getPrecision(), column.getTypeAttributes().getScale());
      case STRING -> Type.Text.UNLIMITED;
      case VARCHAR -> new Type.Text(column.getTypeAttributes().getLength());
      case BINARY -> new Type.Bytes();
      case DATE -> new Type.Date();
      case UNIXTIME_MICROS ->
          new Type.Timestamp(plainTimes == null ? !column.getComment().equals(PLAIN) : !plainTimes);
    };
  }

  /// The same for values that are written: the client counts a character above U+FFFF twice, and
  /// would cut what is longer than the column.
  public static Type writable(ColumnSchema column, @Nullable Boolean plainTimes) {
    return column.getType() == org.apache.kudu.Type.VARCHAR
        ? new Type.Text(column.getTypeAttributes().getLength(), Type.Text.Unit.UTF16)
        : type(column, plainTimes);
  }

  /// How Kudu declares a column.
  public static String declaration(ColumnSchema column) {
    ColumnTypeAttributes attributes = column.getTypeAttributes();
    String name = column.getType().getName();
    return switch (column.getType()) {
      case DECIMAL -> name + "(" + attributes.getPrecision() + "," + attributes.getScale() + ")";
      case VARCHAR -> name + "(" + attributes.getLength() + ")";
      default -> name;
    };
  }

  /// A new column, its name and type set.
  ///
  /// @param key whether it is part of the primary key
  public static ColumnSchema.ColumnSchemaBuilder make(Column column, boolean key) {
    String declaration = declarationFor(column);
    Matcher numbers = NUMBERS.matcher(declaration);
    boolean has = numbers.matches();
    org.apache.kudu.Type type =
        org.apache.kudu.Type.getTypeForName(has ? numbers.group(1) : declaration);
    ColumnSchema.ColumnSchemaBuilder builder =
        new ColumnSchema.ColumnSchemaBuilder(column.name(), type)
            .key(key)
            .nullable(!key && column.nullable());
    if (column.type().equals(new Type.Timestamp(false))) {
      builder.comment(PLAIN);
    }
    if (has && type == org.apache.kudu.Type.VARCHAR) {
      builder.typeAttributes(CharUtil.typeAttributes(Integer.parseInt(numbers.group(2))));
    } else if (has) {
      builder.typeAttributes(
          DecimalUtil.typeAttributes(
              Integer.parseInt(numbers.group(2)), Integer.parseInt(numbers.group(3))));
    }
    return builder;
  }

  /// How a new column for that one is declared: as it is, if it comes from Kudu.
  public static String declarationFor(Column column) {
    String declared = column.declaredIn(SYSTEM);
    return declared != null ? declared : declarationFor(column.type());
  }

  private static String declarationFor(Type type) {
    return switch (type) {
      case Type.Bool _ -> "bool";
      case Type.Int(int bits) -> "int" + bits;
      case Type.Float(int bits) -> bits == 32 ? "float" : "double";
      case Type.Decimal(int precision, int scale) ->
          precision >= 1
                  && precision <= DecimalUtil.MAX_DECIMAL_PRECISION
                  && scale >= 0
                  && scale <= precision
              ? "decimal(" + precision + "," + scale + ")"
              : "string";
      case Type.Date _ -> "date";
      case Type.Timestamp _ -> "unixtime_micros";
      case Type.Bytes _ -> "binary";
      case Type.Textual _, Type.Time _, Type.Uuid _ -> "string";
    };
  }

  /// The type that values of a column have on their way into that column of Kudu: its own, unless
  /// that is not kept but spelled.
  public static Type written(Column column) {
    String declaration = declarationFor(column);
    return declaration.equals("string")
        ? Type.Text.UNLIMITED
        : declaration.startsWith("varchar")
            ? new Type.Text(((Type.Text) column.type()).lengthMax(), Type.Text.Unit.UTF16)
            : column.type();
  }
}
