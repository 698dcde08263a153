package millrace.data.spelling.nested;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import millrace.data.spelling.JsonBytes;

/// Arrays and objects of JSON that is known to be JSON. Parts are values of it as they stand. A
/// member that the type does not have would be lost, so that it makes the text none of the type;
/// one that is missing is null.
final class JsonText implements NestedText {

  private final boolean isList;
  private final List<byte[]> names = new ArrayList<>();
  private byte[] name = new byte[32];
  private byte[] bytes = {};
  private int at;
  private int end;

  JsonText(Nested type) {
    isList = NestedText.members(type) < 0;
    if (type instanceof StructOf struct) {
      struct.members().forEach(each -> names.add(each.name().getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Override
  public boolean cut(byte[] text, int start, int to, Parts into) {
    bytes = text;
    end = to;
    at = JsonBytes.space(text, start, to);
    if (isList) {
      into.clear();
    } else {
      into.clear(names.size());
    }
    boolean isKind = at < end && bytes[at] == (isList ? '[' : '{');
    at = JsonBytes.space(bytes, at + 1, end);
    while (isKind && at < end && bytes[at] != (isList ? ']' : '}')) {
      int member = isList ? 0 : member();
      int after = member < 0 ? JsonBytes.INCOMPLETE : JsonBytes.value(bytes, at, end);
      if (after < 0) {
        return false;
      }
      into.begin();
      into.put(bytes, at, after);
      into.end(bytes[at] == 'n');
      if (!isList && !into.place(member)) {
        return false;
      }
      at = JsonBytes.space(bytes, after, end);
      if (at < end && bytes[at] == ',') {
        at = JsonBytes.space(bytes, at + 1, end);
      }
    }
    return isKind && at < end;
  }

  /// Reads a name and what stands behind it; -1 if no member has it.
  private int member() {
    int after = JsonBytes.string(bytes, at, end);
    if (after < 0) {
      return -1;
    }
    if (name.length < after - at) {
      name = new byte[2 * (after - at)];
    }
    int size = JsonBytes.unescape(bytes, at, after, name);
    at = JsonBytes.space(bytes, after, end);
    at = JsonBytes.space(bytes, at + 1, end);
    for (int i = 0; size >= 0 && i < names.size(); i++) {
      if (Arrays.equals(names.get(i), 0, names.get(i).length, name, 0, size)) {
        return i;
      }
    }
    return -1;
  }
}
