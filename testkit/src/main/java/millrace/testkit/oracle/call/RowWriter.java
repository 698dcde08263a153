package millrace.testkit.oracle.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.engine.OraCursor;
import millrace.testkit.oracle.value.BindType;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.OraRowid;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.value.ValueFormat;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// Writes rows of a cursor, and single values.
final class RowWriter {

  private static final int CLOB_CHARSET = 2000;
  private static final int CHUNK_SIZE = 8132;
  private static final int ROWID_BYTES = 14;
  private static final int NULL_VALUE = 1405;

  private final CallContext context;

  RowWriter(CallContext context) {
    this.context = context;
  }

  /// Adds up to so many rows and ends the answer.
  ///
  /// @param executions how many the call has carried out
  void send(TtcOutput out, ServerCursor cursor, int most, int executions)
      throws IOException, OraException {
    OraCursor rows = cursor.rows();
    if (rows == null) {
      throw new OraException(1002, "fetch out of sequence");
    }
    List<ColumnSpec> columns = rows.columns();
    int count = 0;
    boolean more = true;
    while (count < most) {
      @Nullable Object[] row = rows.next();
      if (row == null) {
        more = false;
        break;
      }
      if (count++ == 0) {
        out.u1(TtcMessage.ROW_HEADER, 0x22).ub(columns.size(), 0, most, 0, 0, 0);
      }
      out.u1(TtcMessage.ROW_DATA);
      for (int i = 0; i < row.length; i++) {
        value(out, columns.get(i), cursor.define(i), row[i]);
      }
    }
    cursor.addSent(count);
    context.log(new LogEvent.Fetched(context.session().id(), cursor.parsed().sql(), count));
    parameters(out, cursor);
    EndOfCall end = new EndOfCall().cursor(cursor.id()).rows(cursor.sent()).iterations(executions);
    end.kind(cursor.parsed().kind().code());
    context.finish(out, more ? end : end.noMoreRows());
  }

  /// The cursor's number among parameters, as it comes before the end of an answer.
  static void parameters(TtcOutput out, ServerCursor cursor) {
    out.u1(TtcMessage.PARAMETERS).ub(6, 0, 0, cursor.id(), 0, 0, 0).ub(0, 0, 0);
  }

  /// @param define how the client wants the column; null if it said nothing
  void value(TtcOutput out, ColumnSpec column, @Nullable BindType define, @Nullable Object value) {
    TtcType type = column.type();
    if (type.hasLocator() && define != null && define.type().comesLast()) {
      // A LOB that the client wants as if it were a LONG: whole, in its row.
      value(out, column.as(define.type()), null, value);
    } else if (type.comesLast()) {
      out.clr(ValueFormat.encode(column, context.dialect().charset(), value));
      out.ub(value == null ? -1 : 0, value == null ? NULL_VALUE : 0);
    } else if (type == TtcType.ROWID && value != null) {
      rowid(out, OraRowid.parse(value.toString()));
    } else if (type == TtcType.UROWID) {
      urowid(out, value == null ? null : OraRowid.parse(value.toString()));
    } else if (type.hasLocator()) {
      lob(out, column, define, value);
    } else {
      out.clr(ValueFormat.encode(column, context.dialect().charset(), value));
    }
  }

  private static void rowid(TtcOutput out, OraRowid rowid) {
    out.u1(ROWID_BYTES).ub(rowid.object(), rowid.file()).u1(0).ub(rowid.block(), rowid.row());
  }

  /// Clients read how long it is twice, then a 1 for a row that lies where its rowid says.
  private static void urowid(TtcOutput out, @Nullable OraRowid rowid) {
    if (rowid == null) {
      out.ub(0);
      return;
    }
    byte[] bytes =
        ByteBuffer.allocate(1 + 4 + 2 + 4 + 2)
            .put((byte) 1)
            .putInt((int) rowid.object())
            .putShort((short) rowid.file())
            .putInt((int) rowid.block())
            .putShort((short) rowid.row())
            .array();
    out.ub(bytes.length).clr(bytes);
  }

  private void lob(
      TtcOutput out, ColumnSpec column, @Nullable BindType define, @Nullable Object value) {
    if (value == null) {
      out.ub(0);
      return;
    }
    byte[] data = ValueFormat.encode(column, context.dialect().charset(), value);
    byte[] bytes = data == null ? new byte[0] : data;
    byte[] locator = context.lobs().keep(column.type(), bytes);
    boolean text = column.type() == TtcType.CLOB;
    out.ub(locator.length);
    if (column.type() == TtcType.JSON || column.type() == TtcType.VECTOR) {
      // They come whole, whatever was defined.
      out.ub(bytes.length, CHUNK_SIZE).clr(bytes).clr(locator);
      return;
    }
    if (define != null && define.prefetches()) {
      int length = text ? bytes.length / 2 : bytes.length;
      int prefetched = Math.min(length, define.chars());
      out.ub(length, CHUNK_SIZE);
      if (define.chars() > 0) {
        if (text) {
          out.u1(1).ub(CLOB_CHARSET).u1(column.form().code());
        }
        out.clr(bytes, text ? 2 * prefetched : prefetched);
      }
    }
    out.clr(locator);
  }
}
