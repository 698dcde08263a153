package millrace.spark.read;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/// Which type of Spark holds all values of each of Millrace's. What has no match is a string, as a
/// CSV file has it, and the column's comment says what it was.
final class SparkTypes {

  private SparkTypes() {}

  /// Spark's columns. All may have nulls: not every source keeps what it declares.
  static StructType of(Schema schema) {
    List<StructField> fields = schema.columns().stream().map(SparkTypes::field).toList();
    return DataTypes.createStructType(fields);
  }

  private static StructField field(Column column) {
    DataType type = of(column.type());
    StructField field = DataTypes.createStructField(column.name(), type, true);
    boolean lacksMatch = type.equals(DataTypes.StringType) && !(column.type() instanceof Type.Text);
    return lacksMatch ? field.withComment(column.typeLabel()) : field;
  }

  static DataType of(Type type) {
    return switch (type) {
      case Type.Bool _ -> DataTypes.BooleanType;
      case Type.Int(int bits) ->
          bits <= Short.SIZE
              ? DataTypes.ShortType
              : bits <= Integer.SIZE ? DataTypes.IntegerType : DataTypes.LongType;
      case Type.Float(int bits) -> bits == Float.SIZE ? DataTypes.FloatType : DataTypes.DoubleType;
      case Type.Decimal decimal -> decimal(decimal);
      case Type.Date _ -> DataTypes.DateType;
      case Type.Timestamp(boolean zoned) ->
          zoned ? DataTypes.TimestampType : DataTypes.TimestampNTZType;
      case Type.Bytes _ -> DataTypes.BinaryType;
      case Type.Time _, Type.Uuid _, Type.Textual _ -> DataTypes.StringType;
    };
  }

  /// Spark's has 38 digits at most, and none of them beyond the last one before the point.
  private static DataType decimal(Type.Decimal type) {
    int scale = Math.max(0, type.scale());
    int digits = Math.max(type.precision() - Math.min(0, type.scale()), scale);
    return type.precision() == 0 || digits > DecimalType.MAX_PRECISION()
        ? DataTypes.StringType
        : DataTypes.createDecimalType(digits, scale);
  }
}
