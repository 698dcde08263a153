package millrace.connectors.json;

import org.jspecify.annotations.Nullable;

/// Goes through the elements of an array in a document, whose bytes are known to be JSON. Used
/// again and again by one thread.
final class ElementWalk {

  private static final byte[] NOTHING = {};

  private final Each each;
  private final Members members = new Members();
  private byte[] bytes = NOTHING;
  private int at;
  private int limit;
  private int start;
  private int end;
  private int number;

  ElementWalk(Each each) {
    this.each = each;
  }

  /// Looks for the array. A document that has none, or null in its place, has no elements.
  ///
  /// @return what is wrong if there is something else in its place; empty if all is well
  String open(byte[] document, int from, int to) {
    bytes = document;
    at = 0;
    limit = 0;
    number = 0;
    @Nullable Range found = new Range(Json.space(document, from, to), to);
    for (byte[] name : each.path()) {
      if (document[found.start()] == 'n') {
        return "";
      }
      if (document[found.start()] != '{') {
        return "it has "
            + Json.shown(document, found.start(), found.end())
            + " in place of an object";
      }
      found = Range.ofMember(members, document, found.start(), found.end(), name);
      if (found == null) {
        return "";
      }
    }
    if (document[found.start()] == 'n') {
      return "";
    }
    if (document[found.start()] != '[') {
      return "'" + Json.shown(document, found.start(), found.end()) + "' is no array";
    }
    at = Json.space(document, found.start() + 1, found.end());
    limit = found.end();
    return "";
  }

  /// Goes on to the next element.
  boolean next() {
    if (at >= limit || bytes[at] == ']') {
      at = limit;
      return false;
    }
    start = at;
    end = Json.value(bytes, at, limit);
    int after = Json.space(bytes, end, limit);
    at = after < limit && bytes[after] == ',' ? Json.space(bytes, after + 1, limit) : after;
    number++;
    return true;
  }

  /// Where the element begins.
  int start() {
    return start;
  }

  /// The index after it.
  int end() {
    return end;
  }

  /// Its number in the array, from 1.
  int number() {
    return number;
  }
}
