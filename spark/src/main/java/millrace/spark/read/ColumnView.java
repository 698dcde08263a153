package millrace.spark.read;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/// One of Millrace's vectors as Spark reads them, without a copy; the same object shows batch after
/// batch. Values that Spark's type does not have are refused when Spark asks for them.
final class ColumnView extends ColumnVector {

  /// Spark's dates and timestamps are of the years 1 to 9999.
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay() - Temporals.EPOCH_DAYS;

  private static final long END_DAY =
      LocalDate.of(10_000, 1, 1).toEpochDay() - Temporals.EPOCH_DAYS;

  private final Column column;
  private final boolean isText;
  private final ValueFormatter formatter;
  private Vector vector;
  private int rows;

  ColumnView(Column column) {
    super(SparkTypes.of(column.type()));
    this.column = column;
    // Decimals without limits are held as text.
    isText = column.type() instanceof Type.Textual || column.type() instanceof Type.Decimal;
    formatter = Spelling.formatter(column.type(), SpellingStyle.ISO);
    vector = Vector.of(column.type(), 0);
  }

  /// Shows the values of a batch until it is released.
  void show(Vector values, int count) {
    vector = values;
    rows = count;
  }

  private long number(int row) {
    return ((LongVector) vector).values[row];
  }

  private IllegalStateException refused(int row) {
    return new IllegalStateException(
        ("Column '%s' has the value %s, which no %s of Spark is. Leave such rows out by a query of"
                + " the source: …?query=SELECT …")
            .formatted(
                column.name(), Spelling.text(column.type(), vector, row), type.catalogString()));
  }

  @Override
  public boolean isNullAt(int row) {
    return vector.nulls[row];
  }

  @Override
  public int numNulls() {
    int count = 0;
    for (int row = 0; row < rows; row++) {
      count += vector.nulls[row] ? 1 : 0;
    }
    return count;
  }

  @Override
  public boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public boolean getBoolean(int row) {
    return number(row) != 0;
  }

  @Override
  public byte getByte(int row) {
    return (byte) number(row);
  }

  @Override
  public short getShort(int row) {
    return (short) number(row);
  }

  @Override
  public int getInt(int row) {
    long value = number(row);
    if (!(column.type() instanceof Type.Date)) {
      return (int) value;
    }
    if (value < FIRST_DAY || value >= END_DAY) {
      throw refused(row);
    }
    return (int) (value + Temporals.EPOCH_DAYS);
  }

  @Override
  public long getLong(int row) {
    long value = number(row);
    if (!(column.type() instanceof Type.Timestamp)) {
      return value;
    }
    if (value < FIRST_DAY * Temporals.DAY_MICROS || value >= END_DAY * Temporals.DAY_MICROS) {
      throw refused(row);
    }
    return value + Temporals.EPOCH_MICROS;
  }

  @Override
  public float getFloat(int row) {
    return (float) getDouble(row);
  }

  @Override
  public double getDouble(int row) {
    return ((DoubleVector) vector).values[row];
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    if (vector instanceof LongVector) {
      long units = number(row);
      if (units == Decimals.NAN) {
        throw refused(row);
      }
      return Decimal.createUnsafe(units, precision, scale);
    }
    String text = ((BytesVector) vector).text(row);
    if (Character.isLetter(text.charAt(text.length() - 1))) {
      throw refused(row);
    }
    return Decimal.apply(new BigDecimal(text), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    if (isText) {
      BytesVector values = (BytesVector) vector;
      int start = values.starts[row];
      return UTF8String.fromBytes(values.bytes, start, values.ends[row] - start);
    }
    byte[] spelled = new byte[formatter.lengthMax(vector, row)];
    return UTF8String.fromBytes(spelled, 0, formatter.format(vector, row, spelled, 0));
  }

  @Override
  public byte[] getBinary(int row) {
    BytesVector values = (BytesVector) vector;
    return Arrays.copyOfRange(values.bytes, values.starts[row], values.ends[row]);
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw new UnsupportedOperationException();
  }

  /// The batch is the reader's.
  @Override
  public void close() {}
}
