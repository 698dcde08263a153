package millrace.testkit.oracle.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.value.BindType;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.value.ValueFormat;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import org.jspecify.annotations.Nullable;

/// Reads descriptions of binds and defines, and rows of values.
final class BindReader {

  private static final int INCONSISTENT_TYPES = 932;

  /// Bytes of the longest value that a client sends in its place.
  private static final int LONGEST_IN_PLACE = 32_767;

  private final CallContext context;
  private final TtcInput in;
  private final LobStore lobs;

  BindReader(CallContext context) {
    this.context = context;
    in = context.in();
    lobs = context.lobs();
  }

  List<BindType> types(int count) throws IOException, BreakException {
    List<BindType> types = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      types.add(type());
    }
    return types;
  }

  private BindType type() throws IOException, BreakException {
    int code = in.u1();
    in.skip(2);
    context.dialect().skipScale(in);
    int size = in.ub();
    in.ub();
    long flags = in.ubLong();
    in.dalc();
    in.ubs(2);
    CharForm form = CharForm.of(in.u1());
    int chars = in.ub();
    in.ub();
    TtcType type;
    try {
      type = TtcType.of(code);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    boolean plain = type.isText() && form == CharForm.NONE;
    return new BindType(type, plain ? CharForm.DATABASE : form, size, chars, flags);
  }

  /// So many rows; values that do not decode come as an {@link OraException} in the value's place.
  List<List<@Nullable Object>> rows(ServerCursor cursor, int count)
      throws IOException, BreakException {
    List<BindType> types = cursor.binds();
    boolean jdbc = context.dialect().jdbc();
    boolean longs = !jdbc && !cursor.isBlock();
    boolean[] last = new boolean[types.size()];
    for (int i = 0; i < last.length; i++) {
      BindType each = types.get(i);
      boolean large = each.size() > LONGEST_IN_PLACE && !each.type().hasLocator();
      last[i] = jdbc ? each.comesLast() : each.type().comesLast() || (longs && large);
    }
    List<List<@Nullable Object>> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(row(types, last));
    }
    return rows;
  }

  /// Long values come behind all others; python-oracledb calls them VARCHAR and RAW of a great
  /// size.
  private List<@Nullable Object> row(List<BindType> types, boolean[] last)
      throws IOException, BreakException {
    int message = in.u1();
    if (message != TtcMessage.ROW_DATA) {
      throw new IOException("a row of binds was expected, not the message " + message);
    }
    @Nullable Object[] values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      if (!last[i]) {
        values[i] = value(types.get(i));
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (last[i]) {
        values[i] = value(types.get(i));
      }
    }
    return Arrays.asList(values);
  }

  private @Nullable Object value(BindType bind) throws IOException, BreakException {
    TtcType type = bind.type();
    byte[] bytes;
    if (type == TtcType.CLOB || type == TtcType.BLOB) {
      byte[] locator = in.dalc();
      return locator == null ? null : lobs.value(locator);
    }
    if (type.hasLocator()) {
      if (in.ub() == 0) {
        return null;
      }
      in.clr();
      bytes = in.clr();
    } else {
      bytes = in.clr();
    }
    if (bytes == null) {
      return null;
    }
    try {
      Object value = ValueFormat.decode(type, context.dialect().charset().of(bind.form()), bytes);
      return value instanceof String text && bind.form() == CharForm.DATABASE
          ? context.server().database().charset().kept(text)
          : value;
    } catch (IllegalArgumentException e) {
      return new OraException(INCONSISTENT_TYPES, "inconsistent datatypes: " + e.getMessage(), e);
    }
  }
}
