package millrace.data.spelling.nested;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import org.jspecify.annotations.Nullable;

/// Makes one system's text of a list or a struct into another system's text of the same value.
/// Members of structs go by their names. One thread.
public final class NestedRespelling extends Respelling {

  private final NestedText from;
  private final NestedWriter to;
  private final Parts parts = new Parts();

  /// Of each member of the other type, what makes its text; for a list, one for all elements.
  private final List<Respelling> steps = new ArrayList<>();

  /// Of each member of the other type, which of this type's it is; none for a list.
  private final List<Integer> sources = new ArrayList<>();

  /// Whether the lists in the lists of the other type must be as long as each other.
  private final boolean isGrid;

  /// How many elements the list that was made last has, and each list in it, and so on.
  private int[] extent = {};

  /// What makes texts of the one type into texts of the other.
  ///
  /// @param given between which {@link #refusal} finds nothing
  public NestedRespelling(Nested given, Nested other) {
    NestedPair pair = NestedPair.of(given, other);
    from = NestedText.of(pair.from());
    to = new NestedWriter(pair.to());
    isGrid =
        pair.to() instanceof ListOf(Type element, Marks marks)
            && marks == Marks.BRACES
            && element.nested() instanceof ListOf;
    Marks here = pair.from().marks();
    Marks there = pair.to().marks();
    switch (pair) {
      case NestedPair.Lists(ListOf one, ListOf two) ->
          steps.add(step(one.element(), here, two.element(), there));
      case NestedPair.Structs(StructOf one, StructOf two) -> {
        for (Member member : two.members()) {
          int source = NestedPair.position(member.name(), one.members());
          sources.add(source);
          steps.add(step(one.members().get(source).type(), here, member.type(), there));
        }
      }
      case NestedPair.Others _ -> throw new IllegalArgumentException("these are not of one kind");
    }
  }

  /// The same of JSON, an array or an object.
  public static NestedRespelling ofJson(Nested other) {
    return new NestedRespelling(other.spelled(Marks.JSON), other);
  }

  private static Respelling step(Type from, Marks here, Type to, Marks there) {
    Nested one = from.nested();
    Nested two = to.nested();
    return one != null && two != null
        ? new NestedRespelling(one, two)
        : PartRespelling.of(from, here, to, there);
  }

  /// Why no value of the one type is one of the other, as the rest of a sentence; null if some are.
  public static @Nullable String refusal(Nested from, Nested to) {
    return NestedPair.refusal(from, to);
  }

  @Override
  public boolean respell(byte[] text, int first, int last) {
    if (!from.cut(text, first, last, parts)) {
      return false;
    }
    to.begin();
    boolean isMade = sources.isEmpty() ? list() : struct();
    to.end();
    bytes = to.bytes();
    start = 0;
    end = to.length();
    return isMade;
  }

  private boolean list() {
    extent = new int[] {parts.count()};
    Respelling step = steps.getFirst();
    for (int part = 0; part < parts.count(); part++) {
      if (!add(step, part) || (isGrid && !isEven(step, part))) {
        return false;
      }
    }
    return true;
  }

  private boolean struct() {
    for (int i = 0; i < steps.size(); i++) {
      if (!add(steps.get(i), parts.of(sources.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private boolean add(Respelling step, int part) {
    if (part < 0 || parts.isNull(part)) {
      to.addNull();
      return true;
    }
    if (!step.respell(parts.bytes(), parts.start(part), parts.end(part))) {
      return false;
    }
    to.add(step.bytes, step.start, step.end);
    return true;
  }

  /// An array of several dimensions has no room for a list that is missing or empty, nor for lists
  /// of several lengths.
  private boolean isEven(Respelling step, int part) {
    if (parts.isNull(part) || !(step instanceof NestedRespelling inner) || inner.extent[0] == 0) {
      return false;
    }
    int[] all = new int[inner.extent.length + 1];
    all[0] = parts.count();
    System.arraycopy(inner.extent, 0, all, 1, inner.extent.length);
    if (part > 0 && !Arrays.equals(all, extent)) {
      return false;
    }
    extent = all;
    return true;
  }
}
