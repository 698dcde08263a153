package millrace.engine.transform;

import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.nested.NestedRespelling;

/// Makes the text of a list or a struct into another system's text of the same value.
final class RespellNested implements ValueConversion {

  private final NestedRespelling respelling;
  private final boolean isJson;

  private RespellNested(NestedRespelling respelling, boolean isJson) {
    this.respelling = respelling;
    this.isJson = isJson;
  }

  /// How values of the one type become values of the other.
  static Conversion of(Nested from, Nested to) {
    String why = NestedRespelling.refusal(from, to);
    return why == null
        ? new Conversion.Rewritten(new RespellNested(new NestedRespelling(from, to), false))
        : new Conversion.Refused(why);
  }

  /// How documents become values of a type.
  static Conversion ofJson(Type to) {
    Nested nested = to.nested();
    return nested == null
        ? new Conversion.Refused("")
        : new Conversion.Rewritten(new RespellNested(NestedRespelling.ofJson(nested), true));
  }

  @Override
  public boolean convert(Vector source, Vector into, int row) {
    BytesVector texts = (BytesVector) source;
    byte[] bytes = texts.bytes;
    int start = texts.starts[row];
    int end = texts.ends[row];
    if ((isJson && !JsonCheck.isValid(bytes, start, end))
        || !respelling.respell(bytes, start, end)) {
      return false;
    }
    ((BytesVector) into).append(row, respelling.bytes(), respelling.start(), respelling.end());
    return true;
  }
}
