package millrace.data.spelling.nested;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;

/// DuckDB's texts, as its cast of a list or a struct to VARCHAR makes them.
final class BracketsText implements NestedText {

  private final boolean isList;
  private final List<byte[]> names;

  /// Of each member, whether it is a list or a struct; for a list, one for all elements.
  private final List<Boolean> nests;

  private byte[] bytes = {};
  private int at;
  private int end;
  private Parts parts = new Parts();
  private final Parts name = new Parts();

  /// Whether what was read last without quotes has a backslash in it: it is not the word NULL then.
  private boolean escaped;

  BracketsText(Nested type) {
    isList = type instanceof ListOf;
    names = new ArrayList<>();
    nests = new ArrayList<>();
    switch (type) {
      case ListOf(Type element, _) -> nests.add(element.nested() != null);
      case StructOf struct ->
          struct
              .members()
              .forEach(member -> {
                names.add(member.name().getBytes(StandardCharsets.UTF_8));
                nests.add(member.type().nested() != null);
              });
    }
  }

  @Override
  public boolean cut(byte[] text, int start, int to, Parts into) {
    bytes = text;
    at = start + 1;
    end = to;
    parts = into;
    return start < to && (isList ? text[start] == '[' && list() : text[start] == '{' && struct());
  }

  private boolean list() {
    parts.clear();
    blanks();
    boolean hasMore = !is(']');
    while (hasMore) {
      if (!value(nests.getFirst(), (byte) ']')) {
        return false;
      }
      blanks();
      hasMore = is(',');
      at += hasMore ? 1 : 0;
    }
    return closes(']');
  }

  private boolean struct() {
    parts.clear(names.size());
    blanks();
    boolean hasMore = !is('}');
    while (hasMore) {
      int member = member();
      if (member < 0 || !value(nests.get(member), (byte) '}') || !parts.place(member)) {
        return false;
      }
      blanks();
      hasMore = is(',');
      at += hasMore ? 1 : 0;
    }
    return closes('}');
  }

  private boolean closes(char mark) {
    boolean isThere = is(mark);
    at++;
    return isThere && at == end;
  }

  /// Reads a name and what stands behind it; -1 if no member has it.
  private int member() {
    blanks();
    name.clear();
    name.begin();
    boolean isName = at < end && (isQuote(bytes[at]) ? quoted(name) : bare(name, (byte) ':'));
    name.end(false);
    blanks();
    if (!isName || !is(':')) {
      return -1;
    }
    at++;
    for (int i = 0; i < names.size(); i++) {
      byte[] each = names.get(i);
      int size = name.end(0);
      if (each.length == size && Arrays.equals(each, 0, size, name.bytes(), 0, size)) {
        return i;
      }
    }
    return -1;
  }

  private boolean value(boolean isNested, byte close) {
    blanks();
    if (at >= end) {
      return false;
    }
    parts.begin();
    byte first = bytes[at];
    if (first == '[' || first == '{') {
      return isNested && raw();
    }
    if (isQuote(first)) {
      boolean isString = !isNested && quoted(parts);
      parts.end(false);
      return isString;
    }
    boolean isThere = bare(parts, close);
    boolean isNull = !escaped && parts.isNullWord();
    parts.end(isNull);
    return isThere && (isNull || !isNested);
  }

  /// A list or a struct, as it stands.
  private boolean raw() {
    int from = at;
    int depth = 0;
    byte quote = 0;
    while (at < end) {
      byte b = bytes[at++];
      if (b == '\\') {
        at++;
      } else if (quote != 0) {
        quote = b == quote ? 0 : quote;
      } else if (isQuote(b)) {
        quote = b;
      } else if (b == '[' || b == '{') {
        depth++;
      } else if (b == ']' || b == '}') {
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

  private boolean quoted(Parts into) {
    byte quote = bytes[at++];
    while (at < end && bytes[at] != quote) {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
      }
      into.put(bytes[at++]);
    }
    at++;
    return at <= end;
  }

  private boolean bare(Parts into, byte stop) {
    escaped = false;
    while (at < end && bytes[at] != ',' && bytes[at] != stop) {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
        escaped = true;
      }
      into.put(bytes[at++]);
    }
    into.trim();
    return into.size() > 0;
  }

  private static boolean isQuote(byte b) {
    return b == '"' || b == '\'';
  }

  private void blanks() {
    while (is(' ')) {
      at++;
    }
  }

  private boolean is(char wanted) {
    return at < end && bytes[at] == wanted;
  }
}
