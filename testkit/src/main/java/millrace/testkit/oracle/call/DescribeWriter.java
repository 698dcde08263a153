package millrace.testkit.oracle.call;

import java.util.List;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.wire.TtcOutput;

/// Writes what columns are.
final class DescribeWriter {

  private static final int IS_TEXT = 0x80;
  private static final int COLLATION = 0x3FFE;
  private static final int HEADER_BYTES = 23;
  private static final int WITH_DOMAIN = 17;
  private static final int WITH_ANNOTATIONS = 20;
  private static final int WITH_VECTOR = 24;
  private static final int ANY_LENGTH = 1;
  private static final int SPARSE = 2;
  private static final byte[] SOME_DATE = {120, 126, 1, 1, 1, 1, 1};

  private DescribeWriter() {}

  /// The message that describes a query.
  static void describe(TtcOutput out, List<ColumnSpec> columns, ClientDialect dialect) {
    out.u1(TtcMessage.DESCRIBE).clr(new byte[HEADER_BYTES]);
    body(out, columns, dialect);
  }

  /// What a REF CURSOR has in it, too.
  static void body(TtcOutput out, List<ColumnSpec> columns, ClientDialect dialect) {
    int size = columns.stream().mapToInt(ColumnSpec::size).sum();
    out.ub(size, columns.size());
    if (!columns.isEmpty()) {
      out.u1(0);
    }
    columns(out, columns, dialect);
    out.dalc(SOME_DATE).ub(0, 0x1FE8, 2, 2, 0);
  }

  static void columns(TtcOutput out, List<ColumnSpec> columns, ClientDialect dialect) {
    for (int i = 0; i < columns.size(); i++) {
      column(out, columns.get(i), i, dialect);
    }
  }

  private static void column(
      TtcOutput out, ColumnSpec column, int position, ClientDialect dialect) {
    CharForm form = column.form();
    boolean text = form != CharForm.NONE;
    boolean isVector = column.type() == TtcType.VECTOR;
    out.u1(column.type().code(), text ? IS_TEXT : 0, isVector ? 0 : column.precision());
    dialect.scale(out, isVector ? 0 : column.scale());
    out.ub(column.size(), 0, 0);
    out.ub(0, 0, dialect.charset().id(form)).u1(form.code());
    out.ub(isVector ? 0 : column.chars(), text ? COLLATION : 0);
    out.u1(column.nullable() ? 1 : 0, column.name().length());
    out.dalc(column.name()).ub(0, 0);
    out.ub(position, 0);
    int fieldVersion = dialect.fieldVersion();
    if (fieldVersion >= WITH_DOMAIN) {
      out.ub(0, 0);
    }
    if (fieldVersion >= WITH_ANNOTATIONS) {
      out.ub(0);
    }
    if (fieldVersion >= WITH_VECTOR) {
      int flags = (column.chars() == 0 ? ANY_LENGTH : 0) | (column.precision() > 0 ? SPARSE : 0);
      out.ub(isVector ? column.chars() : 0);
      out.u1(isVector ? column.scale() : 0, isVector ? flags : 0);
    }
  }
}
