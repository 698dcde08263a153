package millrace.verify;

import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.ListText;

/// Hashes lists by their elements, each by the value that it spells, so that the spelling of lists
/// does not matter. Made for one thread.
final class ListHash {

  private static final long LIST = 0x94D049BB133111EBL;

  private final ListText text;
  private final Columns element =
      Columns.standalone(Schema.of(List.of(Column.of("", Type.Text.UNLIMITED))), 1);
  private final RowHash hash;
  private final RowHash ofText = new RowHash(Type.Text.UNLIMITED, Type.Text.UNLIMITED);

  /// @param marks how the lists are spelled
  /// @param as what elements are compared as
  ListHash(Type.Opaque.Marks marks, Type as) {
    text = new ListText(marks);
    hash = new RowHash(Type.Text.UNLIMITED, as);
  }

  /// The hash of a list, or of the text if it is none.
  long value(BytesVector lists, int row) {
    BytesVector one = element.bytes(0);
    long all = LIST;
    boolean isList = text.open(lists.bytes, lists.starts[row], lists.ends[row]);
    while (isList && text.next()) {
      one.reset();
      one.append(0, text.element(), 0, text.length());
      one.nulls[0] = text.isNull();
      all = RowHash.mix(all, hash.value(element, 0, 0));
    }
    if (isList && text.isWhole()) {
      return all;
    }
    one.reset();
    one.append(0, lists.bytes, lists.starts[row], lists.ends[row]);
    return ofText.value(element, 0, 0);
  }
}
