package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import org.jspecify.annotations.Nullable;

/// A value that all rows of a file have, because its folder's name says so. Any thread.
public final class FolderValue {

  /// One row; null if the value is missing.
  private final @Nullable Vector one;

  private FolderValue(@Nullable Vector one) {
    this.one = one;
  }

  /// Reads a value; null if it is none of that type.
  ///
  /// @param text null for a missing value
  public static @Nullable FolderValue of(@Nullable String text, Type type) {
    if (text == null) {
      return new FolderValue(null);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Vector one = Vector.of(type, 1);
    boolean isText = type instanceof Type.Text(int lengthMax, _) && lengthMax == 0;
    if (isText || type instanceof Type.Opaque) {
      ((BytesVector) one).append(0, bytes, 0, bytes.length);
      return new FolderValue(one);
    }
    if (one instanceof BytesVector texts) {
      texts.append(0, bytes, 0, bytes.length);
    }
    return Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, one, 0)
        ? new FolderValue(one)
        : null;
  }

  /// Gives the first rows of a column the value.
  void fill(Vector column, int rows) {
    Vector value = one;
    Arrays.fill(column.nulls, 0, rows, value == null);
    if (value == null) {
      return;
    }
    switch (column) {
      case LongVector longs -> Arrays.fill(longs.values, 0, rows, ((LongVector) value).values[0]);
      case DoubleVector doubles ->
          Arrays.fill(doubles.values, 0, rows, ((DoubleVector) value).values[0]);
      case BytesVector texts -> {
        BytesVector text = (BytesVector) value;
        texts.view(text.bytes);
        Arrays.fill(texts.starts, 0, rows, text.starts[0]);
        Arrays.fill(texts.ends, 0, rows, text.ends[0]);
      }
    }
  }
}
