package millrace.data.spelling.nested;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.data.Type;
import millrace.data.Type.Opaque;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import org.jspecify.annotations.Nullable;

/// Two types whose values are to be the same, list beside list and struct beside struct.
///
/// PostgreSQL's catalog does not bind an array to a number of dimensions, so its arrays have as
/// many as the lists that they stand beside.
public sealed interface NestedPair {

  Nested from();

  Nested to();

  /// Lists.
  record Lists(ListOf from, ListOf to) implements NestedPair {}

  /// Structs.
  record Structs(StructOf from, StructOf to) implements NestedPair {}

  /// A list and a struct.
  record Others(Nested from, Nested to) implements NestedPair {}

  /// The pair of two types.
  static NestedPair of(Nested from, Nested to) {
    if (from instanceof ListOf one && to instanceof ListOf two) {
      return new Lists(withDimensionsOf(one, two), withDimensionsOf(two, one));
    }
    return from instanceof StructOf one && to instanceof StructOf two
        ? new Structs(one, two)
        : new Others(from, to);
  }

  /// The array with as many dimensions as the other has lists in lists.
  private static ListOf withDimensionsOf(ListOf array, ListOf other) {
    if (array.marks() != Marks.BRACES || other.marks() == Marks.BRACES) {
      return array;
    }
    Type innermost = array.element();
    while (innermost.nested() instanceof ListOf inner) {
      innermost = inner.element();
    }
    Type element = innermost;
    for (Type at = other.element(); at.nested() instanceof ListOf inner; at = inner.element()) {
      element = new Opaque(new ListOf(element, Marks.BRACES));
    }
    return new ListOf(element, Marks.BRACES);
  }

  /// The position of the member that is meant by a name: as written, or else the only one that
  /// differs in case alone; -1 if there is none.
  static int position(String name, List<Member> members) {
    int found = -1;
    for (int i = 0; i < members.size(); i++) {
      String each = members.get(i).name();
      if (each.equals(name)) {
        return i;
      }
      if (each.equalsIgnoreCase(name)) {
        found = found == -1 ? i : -2;
      }
    }
    return Math.max(found, -1);
  }

  /// As {@link NestedRespelling#refusal}.
  static @Nullable String refusal(Nested from, Nested to) {
    return switch (of(from, to)) {
      case Lists(ListOf one, ListOf two) -> refusalWithin(one.element(), two.element());
      case Structs(StructOf one, StructOf two) -> refusalOfStructs(one, two);
      case Others _ -> "a list is no struct";
    };
  }

  private static @Nullable String refusalWithin(Type from, Type to) {
    Nested one = from.nested();
    Nested two = to.nested();
    if (one != null && two != null) {
      return refusal(one, two);
    }
    return one == null && two == null
        ? null
        : "a value of %s is not one of %s".formatted(from.label(), to.label());
  }

  private static @Nullable String refusalOfStructs(StructOf from, StructOf to) {
    Set<Integer> taken = new HashSet<>();
    for (Member member : to.members()) {
      int source = position(member.name(), from.members());
      if (source < 0 || !taken.add(source)) {
        return otherMembers(from, to);
      }
      String why = refusalWithin(from.members().get(source).type(), member.type());
      if (why != null) {
        return "member \"" + member.name() + "\": " + why;
      }
    }
    return from.members().size() == to.members().size() ? null : otherMembers(from, to);
  }

  private static String otherMembers(StructOf from, StructOf to) {
    return "its members are %s in the source and %s in the target"
        .formatted(from.names(), to.names());
  }
}
