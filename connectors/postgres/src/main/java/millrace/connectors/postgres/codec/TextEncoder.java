package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.data.BytesVector;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import org.jspecify.annotations.Nullable;

/// Rows of text COPY: fields between tabs, `\N` for null, a line feed at the end
/// (https://www.postgresql.org/docs/current/sql-copy.html, "Text Format"). The server reads values
/// with the types' own input functions, so that types that only it knows arrive whole.
public final class TextEncoder extends RowEncoder {

  private static final byte[] NULL = {'\\', 'N'};

  private final ValueFormatter[] formatters;
  private byte[] spelled = new byte[64];

  public TextEncoder(List<LoadColumn> slots) {
    super(slots);
    formatters = new ValueFormatter[fields.length];
    for (int i = 0; i < fields.length; i++) {
      formatters[i] = Spelling.formatter(fields[i].loadColumn.type().type(), SpellingStyle.ISO);
    }
  }

  @Override
  boolean encode(int row, @Nullable RowPosition place) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].nulls[row]) {
        reserve(NULL.length + 1);
        System.arraycopy(NULL, 0, bytes, used, NULL.length);
        used += NULL.length;
      } else if (check(fields[i], row)) {
        field(i, row);
      } else {
        return false;
      }
      bytes[used++] = '\t';
    }
    if (place == null) {
      bytes[used - 1] = '\n';
      return true;
    }
    byte[] numbers =
        (place.split() + "\t" + place.row() + "\n").getBytes(StandardCharsets.US_ASCII);
    reserve(numbers.length);
    System.arraycopy(numbers, 0, bytes, used, numbers.length);
    used += numbers.length;
    return true;
  }

  private void field(int place, int row) {
    Vector vector = fields[place].vector;
    switch (fields[place].binaryCodec) {
      case TEXT, JSONB, NONE -> {
        BytesVector text = fields[place].text();
        escape(text.bytes, text.starts[row], text.ends[row]);
      }
      case BYTES -> {
        int most = formatters[place].lengthMax(vector, row);
        if (spelled.length < most) {
          spelled = new byte[most];
        }
        escape(spelled, 0, formatters[place].format(vector, row, spelled, 0));
      }
      case BOOL,
          INT2,
          INT4,
          INT8,
          FLOAT4,
          FLOAT8,
          NUMERIC_LONG,
          NUMERIC_TEXT,
          DATE,
          TIME,
          TIMESTAMP,
          UUID -> {
        reserve(formatters[place].lengthMax(vector, row) + 1L);
        used = formatters[place].format(vector, row, bytes, used);
      }
    }
  }

  private void escape(byte[] from, int start, int end) {
    reserve(2L * (end - start) + 1);
    int at = used;
    for (int i = start; i < end; i++) {
      byte b = from[i];
      switch (b) {
        case '\\' -> {
          bytes[at++] = '\\';
          bytes[at++] = '\\';
        }
        case '\n' -> {
          bytes[at++] = '\\';
          bytes[at++] = 'n';
        }
        case '\r' -> {
          bytes[at++] = '\\';
          bytes[at++] = 'r';
        }
        case '\t' -> {
          bytes[at++] = '\\';
          bytes[at++] = 't';
        }
        default -> bytes[at++] = b;
      }
    }
    used = at;
  }
}
