package millrace.connectors.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.MessageInput;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;

/// Whatever a server sends is decoded, or refused as what it is: nothing of a server's.
class DecodersFuzzTest {

  /// One column of each codec.
  private static final List<TableColumn> COLUMNS =
      Arrays.stream(BinaryCodec.values()).map(DecodersFuzzTest::column).toList();

  private static TableColumn column(BinaryCodec binaryCodec) {
    Type type =
        switch (binaryCodec) {
          case BOOL -> new Type.Bool();
          case INT2 -> new Type.Int(16);
          case INT4 -> new Type.Int(32);
          case INT8 -> new Type.Int(64);
          case FLOAT4 -> new Type.Float(32);
          case FLOAT8 -> new Type.Float(64);
          case NUMERIC_LONG -> new Type.Decimal(18, 6);
          case NUMERIC_TEXT -> Type.Decimal.UNLIMITED;
          case DATE -> new Type.Date();
          case TIME -> new Type.Time();
          case TIMESTAMP -> new Type.Timestamp(false);
          case UUID -> new Type.Uuid();
          case TEXT -> Type.Text.UNLIMITED;
          case BYTES -> new Type.Bytes();
          case JSONB -> new Type.Json();
          case NONE -> new Type.Opaque();
        };
    return new TableColumn(
        binaryCodec.name(),
        new PostgresType(binaryCodec.name(), type, binaryCodec, ""),
        false,
        false,
        "",
        "",
        true);
  }

  /// The first byte chooses the column, the rest is a row of it.
  @FuzzTest
  void aRowIsDecodedOrRefused(byte[] data) {
    if (data.length < 1) {
      return;
    }
    TableColumn column = COLUMNS.get((data[0] & 0xFF) % COLUMNS.size());
    Columns batch = Columns.standalone(Schema.of(List.of(Column.of("a", column.type().type()))), 1);
    BinaryDecoder decoder = new BinaryDecoder(List.of(column));
    decoder.begin(batch, data);
    try {
      decoder.decode(data, 1, data.length, 0);
    } catch (Fault.External fault) {
      assertThat(fault.getMessage()).startsWith("The server sends");
      return;
    }
    if (batch.vector(0).nulls[0]) {
      assertThat(data).hasSize(1 + 2 + 4);
    }
  }

  @FuzzTest
  void aCopysBeginningIsReadOrRefused(byte[] data) {
    try {
      int header = BinaryDecoder.headerLength(data);
      assertThat(header).isBetween(19, data.length);
      boolean nothing = data.length - header < 2;
      boolean trailer = !nothing && data[header] == -1 && data[header + 1] == -1;
      assertThat(BinaryDecoder.isEnd(data, header)).isEqualTo(nothing || trailer);
    } catch (Fault.External fault) {
      assertThat(fault.getMessage()).startsWith("The server sends");
    }
  }

  /// A decimal's spelling goes to the server and back as it is.
  @FuzzTest
  void aDecimalComesBackAsItWas(byte[] data) {
    Vector spelled = Vector.of(Type.Decimal.UNLIMITED, 1);
    if (!Spelling.parser(Type.Decimal.UNLIMITED, SpellingStyle.ISO)
        .parse(data, 0, data.length, spelled, 0)) {
      return;
    }
    byte[] text =
        Spelling.text(Type.Decimal.UNLIMITED, spelled, 0).getBytes(StandardCharsets.US_ASCII);
    byte[] binary = new byte[NumericBinary.bytesMax(text.length)];
    int end = NumericBinary.encode(text, 0, text.length, binary, 0);
    if (end < 0) {
      return;
    }
    byte[] back = new byte[NumericBinary.textBytesMax(binary, 4)];
    assertThat(Arrays.copyOf(back, NumericBinary.decodeText(binary, 4, back))).isEqualTo(text);
  }

  /// The first byte says how much is read at a time; rows are taken as well as read.
  @FuzzTest
  void messagesAreToldApartOrRefused(byte[] data) {
    if (data.length < 1) {
      return;
    }
    MessageInput input = new MessageInput(new ByteArrayInputStream(data, 1, data.length - 1), 0);
    RowBuffer rows = new RowBuffer(4, 1 << 16);
    byte[] part = new byte[1 + (data[0] & 63)];
    long seen = 0;
    try {
      while (true) {
        rows.begin(new byte[16]);
        if (input.seesRows()) {
          input.takeRows(rows, data[0] & 3);
          seen += rows.end + 5L * rows.rows();
        }
        int read = input.read(part, 0, part.length);
        if (read < 0) {
          break;
        }
        seen += read;
      }
    } catch (IOException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(seen).isEqualTo(data.length - 1L);
  }
}
