package millrace.connectors.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// The members that columns become, in the order in which the first of each stands.
///
/// @param members of the object
record MemberTree(List<Member> members) {

  private static final MemberTree NONE = new MemberTree(List.of());

  MemberTree {
    members = List.copyOf(members);
  }

  /// A member.
  ///
  /// @param name with its quotes, in UTF-8
  /// @param column the number of the column that is its value; negative if it is an object
  /// @param within its members if it is one
  record Member(byte[] name, int column, MemberTree within) {}

  /// What is known of a member while names are read.
  private static final class Growing {

    private int column = -1;
    private final Map<String, Growing> within = new LinkedHashMap<>();

    MemberTree tree() {
      List<Member> members = new ArrayList<>();
      within.forEach((name, each) -> {
        boolean isObject = each.column < 0;
        members.add(new Member(Json.quoted(name), each.column, isObject ? each.tree() : NONE));
      });
      return new MemberTree(members);
    }
  }

  /// The members of columns with these names.
  ///
  /// @param nested whether dots go down
  /// @throws Fault.User if a column would be a member of another column's value
  static MemberTree of(List<String> names, boolean nested) {
    Growing document = new Growing();
    for (int i = 0; i < names.size(); i++) {
      Growing at = document;
      for (String part : nested ? names.get(i).split("\\.", -1) : new String[] {names.get(i)}) {
        refuseWithin(names, at.column, names.get(i));
        at = at.within.computeIfAbsent(part, _ -> new Growing());
      }
      if (!at.within.isEmpty()) {
        throw inside(names.get(i), null);
      }
      at.column = i;
    }
    return document.tree();
  }

  private static void refuseWithin(List<String> names, int column, String name) {
    if (column >= 0) {
      throw inside(names.get(column), name);
    }
  }

  private static Fault.User inside(String outer, @Nullable String inner) {
    return new Fault.User(
        "Column "
            + outer
            + " is a member with a value, and "
            + (inner == null
                ? "another column would be a member of it"
                : inner + " would be a member of it")
            + ".",
        "Leave one of them out with --drop, call it otherwise with --rename, or leave --nest out.");
  }
}
