package millrace.verify;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import millrace.data.spelling.nested.NestedPair;
import millrace.data.spelling.nested.NestedText;
import millrace.data.spelling.nested.PartRespelling;
import millrace.data.spelling.nested.Parts;

/// Hashes lists by their elements and structs by their members, each by the value that it spells,
/// so that neither their spelling nor the order of members matters. Made for one thread.
final class NestedHash {

  private static final long LIST = 0x94D049BB133111EBL;
  private static final long STRUCT = 0xBF58476D1CE4E5B9L;
  private static final long NULL = 0x2545F4914F6CDD1DL;

  /// Hashes a value of one part.
  @FunctionalInterface
  private interface ValueHash {
    /// The hash; 0 if the text is none of the type.
    long value(byte[] text, int start, int end);
  }

  private final NestedText text;
  private final Parts parts = new Parts();
  private final boolean isList;

  /// One for all elements, or one for each member.
  private final List<ValueHash> each = new ArrayList<>();

  /// Of each member, what its name adds to the hash of its value.
  private final List<Long> names = new ArrayList<>();

  /// @param type how the values are spelled
  /// @param as what they are compared as
  NestedHash(Nested type, Nested as) {
    NestedPair pair = NestedPair.of(type, as);
    text = NestedText.of(pair.from());
    isList = pair.from() instanceof ListOf;
    Marks marks = pair.from().marks();
    switch (pair) {
      case NestedPair.Lists(ListOf one, ListOf two) ->
          each.add(part(one.element(), two.element(), marks));
      case NestedPair.Structs(StructOf one, StructOf two) -> {
        for (Member member : one.members()) {
          int other = NestedPair.position(member.name(), two.members());
          Type compared = other < 0 ? Type.Text.UNLIMITED : two.members().get(other).type();
          each.add(part(member.type(), compared, marks));
          names.add(RowHash.text(member.name().toLowerCase(Locale.ROOT)));
        }
      }
      case NestedPair.Others _ -> throw new IllegalArgumentException("these are not of one kind");
    }
  }

  private static ValueHash part(Type type, Type as, Marks marks) {
    Nested one = type.nested();
    Nested two = as.nested();
    if (one != null && two != null && !(NestedPair.of(one, two) instanceof NestedPair.Others)) {
      NestedHash inner = new NestedHash(one, two);
      return inner::hash;
    }
    // Bytes are compared in the one spelling that is not DuckDB's own.
    PartRespelling spelling = PartRespelling.of(type, marks, type, Marks.BRACES);
    Columns value = Columns.standalone(Schema.of(List.of(Column.of("", Type.Text.UNLIMITED))), 1);
    RowHash hash = new RowHash(Type.Text.UNLIMITED, as);
    return (bytes, start, end) -> {
      boolean isOne = spelling.respell(bytes, start, end);
      BytesVector vector = value.bytes(0);
      vector.reset();
      vector.append(
          0,
          isOne ? spelling.bytes() : bytes,
          isOne ? spelling.start() : start,
          isOne ? spelling.end() : end);
      vector.nulls[0] = false;
      return hash.value(value, 0, 0);
    };
  }

  /// The hash of a value; that of the text if it is none of the type.
  long value(BytesVector values, int row) {
    int start = values.starts[row];
    int end = values.ends[row];
    long hash = hash(values.bytes, start, end);
    return hash != 0
        ? hash
        : RowHash.text(new String(values.bytes, start, end - start, StandardCharsets.UTF_8));
  }

  private long hash(byte[] bytes, int start, int end) {
    if (!text.cut(bytes, start, end, parts)) {
      return 0;
    }
    return isList ? list() : struct();
  }

  private long list() {
    long all = LIST;
    for (int part = 0; part < parts.count(); part++) {
      long one = part(0, part);
      if (one == 0) {
        return 0;
      }
      all = RowHash.mix(all, one);
    }
    return all;
  }

  /// A sum, since the order of members means nothing.
  private long struct() {
    long all = STRUCT;
    for (int member = 0; member < each.size(); member++) {
      long one = part(member, parts.of(member));
      if (one == 0) {
        return 0;
      }
      all += RowHash.mix(names.get(member), one);
    }
    return all;
  }

  private long part(int kind, int part) {
    return part < 0 || parts.isNull(part)
        ? NULL
        : each.get(kind).value(parts.bytes(), parts.start(part), parts.end(part));
  }
}
