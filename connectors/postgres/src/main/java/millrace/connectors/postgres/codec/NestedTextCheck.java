package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import millrace.connectors.postgres.catalog.PostgresType;
import org.jspecify.annotations.Nullable;

/// Looks at each value in the text of a list, a row (a composite type) or a range, which the server
/// reads as if it stood alone. What the server would not read is left for it to refuse.
///
/// The text is cut as `array_in`, `record_in`, `range_in` and `multirange_in` of
/// src/backend/utils/adt do.
final class NestedTextCheck implements LossyCastCheck {

  private static final String BLANKS = " \t\n\r\u000b\f";

  private final PostgresType.Shape shape;
  private final List<@Nullable LossyCastCheck> parts;
  private byte[] bytes = {};
  private int at;
  private int end;

  /// The value read last, and how long it is.
  private byte[] value = new byte[64];

  private int length;

  private NestedTextCheck(PostgresType.Shape shape, List<@Nullable LossyCastCheck> parts) {
    this.shape = shape;
    this.parts = parts;
  }

  /// What to look for in text for such a type; null if nothing in it could change.
  static @Nullable LossyCastCheck changes(PostgresType type) {
    List<@Nullable LossyCastCheck> parts =
        Arrays.asList(
            type.parts().stream()
                .map(part -> LossyCastCheck.within(part.type()))
                .toArray(LossyCastCheck[]::new));
    return parts.stream().allMatch(Objects::isNull)
        ? null
        : new NestedTextCheck(type.shape(), parts);
  }

  @Override
  public String find(byte[] text, int from, int to) {
    bytes = text;
    at = from;
    end = to;
    return switch (shape) {
      case LIST -> list();
      case ROW -> row();
      case RANGE -> range();
      case RANGES -> ranges();
      case SINGLE -> "";
    };
  }

  /// Lists in lists are one to the server, and the first and last places may stand before it.
  private String list() {
    skipBlanks();
    if (isOneOf("[")) {
      while (at < end && bytes[at++] != '=') {}
    }
    String change = "";
    while (at < end && change.isEmpty()) {
      int from = at;
      if (isOneOf("{}," + BLANKS)) {
        at++;
      } else if (read(",}") && !isNull(from)) {
        change = look(0);
      }
    }
    return change;
  }

  private boolean isNull(int from) {
    return new String(bytes, from, at - from, StandardCharsets.UTF_8)
        .strip()
        .equalsIgnoreCase("NULL");
  }

  private String row() {
    skipBlanks();
    String change = "";
    for (int i = 0; i < parts.size() && at < end && change.isEmpty(); i++) {
      at++;
      if (read(",)")) {
        change = look(i);
      }
    }
    return change;
  }

  private String range() {
    skipBlanks();
    String change = "";
    for (int i = 0; i < 2 && isOneOf("[(,") && change.isEmpty(); i++) {
      at++;
      if (read(",)]")) {
        change = look(0);
      }
    }
    return change;
  }

  private String ranges() {
    LossyCastCheck range = Objects.requireNonNull(parts.getFirst());
    String change = "";
    while (at < end && change.isEmpty()) {
      int from = at;
      if (isOneOf("[(")) {
        skipRange();
        change = range.find(bytes, from, at);
      } else {
        at++;
      }
    }
    return change;
  }

  private void skipRange() {
    boolean within = false;
    while (at < end && (within || !isOneOf(")]"))) {
      within ^= bytes[at] == '"';
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, end);
  }

  private String look(int part) {
    LossyCastCheck changes = parts.get(part);
    return changes == null ? "" : changes.find(value, 0, length);
  }

  /// Reads a value up to one of those characters that stands outside of quotes. Within them a list
  /// has a quote behind a backslash alone, all else may have it twice.
  ///
  /// @return whether there is one: false if nothing at all stands there
  private boolean read(String stops) {
    boolean isList = shape == PostgresType.Shape.LIST;
    boolean quoted = false;
    boolean within = false;
    int solid = 0;
    length = 0;
    while (at < end && (within || !isOneOf(stops))) {
      boolean plain = !within && isOneOf(BLANKS);
      byte b = bytes[at++];
      if (b == '"' && (isList || !within || !isOneOf("\""))) {
        within = !within;
        quoted = true;
      } else {
        boolean skips = at < end && (b == '"' || b == '\\');
        add(skips ? bytes[at++] : b);
        solid = plain ? solid : length;
      }
    }
    length = isList ? solid : length;
    return quoted || length > 0;
  }

  private void add(byte b) {
    if (length == value.length) {
      value = Arrays.copyOf(value, 2 * length);
    }
    value[length++] = b;
  }

  private void skipBlanks() {
    while (isOneOf(BLANKS)) {
      at++;
    }
  }

  private boolean isOneOf(String characters) {
    return at < end && characters.indexOf(bytes[at]) >= 0;
  }
}
