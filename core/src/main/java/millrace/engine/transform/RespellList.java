package millrace.engine.transform;

import millrace.data.BytesVector;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Vector;
import millrace.data.spelling.ListText;

/// Makes the text of a list into another system's text of the same list.
final class RespellList implements ValueConversion {

  private final ListText from;
  private final ListText.Writer to;

  RespellList(Marks from, Marks to) {
    this.from = new ListText(from);
    this.to = new ListText.Writer(to);
  }

  @Override
  public boolean convert(Vector source, Vector into, int row) {
    BytesVector texts = (BytesVector) source;
    if (!from.open(texts.bytes, texts.starts[row], texts.ends[row])) {
      return false;
    }
    to.begin();
    while (from.next()) {
      to.add(from.isNull(), from.element(), from.length());
    }
    if (!from.isWhole()) {
      return false;
    }
    to.end();
    ((BytesVector) into).append(row, to.bytes(), 0, to.length());
    return true;
  }
}
