package millrace.data.spelling.nested;

import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Nested;

/// PostgreSQL's texts, as `array_out` and `record_out` of src/backend/utils/adt make them. Arrays
/// that do not count from 1 are none of them.
final class BracesText implements NestedText {

  private final int members;

  /// Whether elements are lists, which stand in a list without quotes.
  private final boolean hasLists;

  private byte[] bytes = {};
  private int at;
  private int end;
  private Parts parts = new Parts();

  BracesText(Nested type) {
    members = NestedText.members(type);
    hasLists = type instanceof ListOf list && list.element().nested() instanceof ListOf;
  }

  @Override
  public boolean cut(byte[] text, int start, int to, Parts into) {
    bytes = text;
    at = start + 1;
    end = to;
    parts = into;
    return start < to && (members < 0 ? text[start] == '{' && list() : text[start] == '(' && row());
  }

  private boolean list() {
    parts.clear();
    if (is('}')) {
      at++;
      return at == end;
    }
    while (element()) {
      if (is('}')) {
        at++;
        return at == end;
      }
      if (!is(',')) {
        return false;
      }
      at++;
    }
    return false;
  }

  private boolean element() {
    parts.begin();
    if (is('{')) {
      return hasLists && raw();
    }
    return !hasLists && (is('"') ? quoted() : bare());
  }

  /// A list in a list, as it stands.
  private boolean raw() {
    int from = at;
    int depth = 0;
    boolean within = false;
    while (at < end) {
      byte b = bytes[at++];
      if (b == '\\') {
        at++;
      } else if (b == '"') {
        within = !within;
      } else if (!within && b == '{') {
        depth++;
      } else if (!within && b == '}') {
        depth--;
        if (depth == 0) {
          parts.put(bytes, from, at);
          parts.end(false);
          return true;
        }
      }
    }
    return false;
  }

  private boolean quoted() {
    at++;
    while (at < end && bytes[at] != '"') {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
      }
      parts.put(bytes[at++]);
    }
    at++;
    parts.end(false);
    return at <= end;
  }

  private boolean bare() {
    boolean escaped = false;
    while (at < end && bytes[at] != ',' && bytes[at] != '}') {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
        escaped = true;
      }
      parts.put(bytes[at++]);
    }
    boolean isThere = parts.size() > 0;
    parts.end(!escaped && parts.isNullWord());
    return isThere;
  }

  /// Nothing at all stands for a member that is null.
  private boolean row() {
    parts.clear(members);
    for (int member = 0; member < members; member++) {
      if (member > 0) {
        if (!is(',')) {
          return false;
        }
        at++;
      }
      parts.begin();
      boolean isThere = at < end && bytes[at] != ',' && bytes[at] != ')';
      if (isThere && !field()) {
        return false;
      }
      parts.end(!isThere);
      parts.place(member);
    }
    if (!is(')')) {
      return false;
    }
    at++;
    return at == end;
  }

  /// Quotes may begin and end anywhere in it; within them, two stand for one.
  private boolean field() {
    boolean within = false;
    while (at < end && (within || (bytes[at] != ',' && bytes[at] != ')'))) {
      byte b = bytes[at++];
      if (b == '\\' && at < end) {
        parts.put(bytes[at++]);
      } else if (b == '"' && within && is('"')) {
        parts.put(bytes[at++]);
      } else if (b == '"') {
        within = !within;
      } else {
        parts.put(b);
      }
    }
    return !within;
  }

  private boolean is(char wanted) {
    return at < end && bytes[at] == wanted;
  }
}
