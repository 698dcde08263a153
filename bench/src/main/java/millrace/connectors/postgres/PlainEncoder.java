package millrace.connectors.postgres;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.LongVector;
import millrace.data.Type;

/// Rows of binary COPY the plain way, through a {@link DataOutputStream}: what {@link
/// BinaryEncoder} is compared to. It knows the types that the benchmark has, and checks nothing.
final class PlainEncoder {

  private final List<Type> types;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
  private final DataOutputStream out = new DataOutputStream(bytes);

  PlainEncoder(List<Type> types) {
    this.types = types;
  }

  /// Encodes all rows; the stream is the encoder's own and is used again.
  ByteArrayOutputStream encode(Columns batch) throws IOException {
    bytes.reset();
    for (int row = 0; row < batch.rows(); row++) {
      out.writeShort(types.size());
      for (int column = 0; column < types.size(); column++) {
        if (batch.vector(column).nulls[row]) {
          out.writeInt(-1);
        } else {
          value(batch, column, row);
        }
      }
    }
    return bytes;
  }

  private void value(Columns batch, int column, int row) throws IOException {
    if (batch.vector(column) instanceof BytesVector text) {
      int length = text.ends[row] - text.starts[row];
      out.writeInt(length);
      out.write(text.bytes, text.starts[row], length);
    } else if (batch.vector(column) instanceof LongVector longs) {
      if (types.get(column) instanceof Type.Decimal(int _, int scale)) {
        numeric(BigDecimal.valueOf(longs.values[row], scale));
      } else {
        out.writeInt(8);
        out.writeLong(longs.values[row]);
      }
    }
  }

  /// Four digits at a time of the spelling, padded with zeros to whole groups.
  private void numeric(BigDecimal value) throws IOException {
    String spelled = value.abs().toPlainString();
    int point = spelled.indexOf('.');
    String whole = point < 0 ? spelled : spelled.substring(0, point);
    String part = point < 0 ? "" : spelled.substring(point + 1);
    String before = "0".repeat((4 - whole.length() % 4) % 4) + whole;
    String all = before + part + "0".repeat((4 - part.length() % 4) % 4);
    int from = 0;
    int to = all.length();
    while (from < to && all.startsWith("0000", from)) {
      from += 4;
    }
    while (to > from && all.startsWith("0000", to - 4)) {
      to -= 4;
    }
    int groups = (to - from) / 4;
    out.writeInt(8 + 2 * groups);
    out.writeShort(groups);
    out.writeShort(groups == 0 ? 0 : (before.length() - from) / 4 - 1);
    out.writeShort(value.signum() < 0 ? 0x4000 : 0);
    out.writeShort(value.scale());
    for (int i = from; i < to; i += 4) {
      out.writeShort(Integer.parseInt(all.substring(i, i + 4)));
    }
  }
}
