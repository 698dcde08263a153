package millrace.engine.transform;

import java.util.concurrent.atomic.LongAdder;
import millrace.data.BytesVector;
import millrace.data.Vector;

/// Reads a time from text, without the digits after its microseconds if it has more. One thread.
final class CutNanoseconds implements ValueConversion {

  private static final int DIGITS_MAX = 6;

  private final ValueConversion exact;
  private final LongAdder cut;
  private BytesVector shorter = new BytesVector(1);

  /// @param cut counts the values that lost digits other than zeros
  CutNanoseconds(ValueConversion exact, LongAdder cut) {
    this.exact = exact;
    this.cut = cut;
  }

  @Override
  public boolean convert(Vector from, Vector into, int row) {
    if (exact.convert(from, into, row)) {
      return true;
    }
    BytesVector texts = (BytesVector) from;
    byte[] bytes = texts.bytes;
    int end = texts.ends[row];
    int point = texts.starts[row];
    while (point < end && bytes[point] != '.') {
      point++;
    }
    int digits = point + 1;
    while (digits < end && bytes[digits] >= '0' && bytes[digits] <= '9') {
      digits++;
    }
    int length = point + 1 + DIGITS_MAX;
    if (digits <= length) {
      return false;
    }
    byte[] text = new byte[end - texts.starts[row] - (digits - length)];
    int before = length - texts.starts[row];
    System.arraycopy(bytes, texts.starts[row], text, 0, before);
    System.arraycopy(bytes, digits, text, before, end - digits);
    if (shorter.starts.length <= row) {
      shorter = new BytesVector(from.nulls.length);
    }
    shorter.view(text);
    shorter.starts[row] = 0;
    shorter.ends[row] = text.length;
    boolean fits = exact.convert(shorter, into, row);
    if (fits) {
      cut.increment();
    }
    return fits;
  }
}
