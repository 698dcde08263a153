package millrace.connectors.postgres.catalog;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.codec.BinaryCodec;
import millrace.data.Native;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;

/// A column's type, domains resolved.
///
/// @param declared as in `CREATE TABLE`, with its schema if that is not `pg_catalog`
/// @param type what its values mean
/// @param binaryCodec how a value stands in binary
/// @param wire the name of what a value looks like in binary, the same at every server where it
///   means the same; empty if the binary form is private to a database or not known
/// @param shape how its text holds values of other types
/// @param parts those types: one, or those of a row's members
public record PostgresType(
    String declared,
    Type type,
    BinaryCodec binaryCodec,
    String wire,
    Shape shape,
    List<NestedType> parts) {

  private static final Pattern LENGTH = Pattern.compile("character(?: varying)?\\((\\d+)\\)");
  private static final Pattern FRACTION = Pattern.compile("time(?:stamp)?\\((\\d)\\) with.*");
  private static final int FRACTION_DIGITS = 6;

  /// How a text holds values of other types.
  public enum Shape {
    /// It holds none.
    SINGLE,
    /// `{…,…}`
    LIST,
    /// `(…,…)`
    ROW,
    /// `[…,…)`
    RANGE,
    /// `{[…,…),[…,…)}`
    RANGES
  }

  /// One of the types that another's text holds values of.
  ///
  /// @param name of a row's member; empty if it has none
  public record NestedType(String name, PostgresType type) {}

  /// A type whose text holds no values of others.
  public PostgresType(String declared, Type type, BinaryCodec binaryCodec, String wire) {
    this(declared, type, binaryCodec, wire, Shape.SINGLE, List.of());
  }

  /// What a target of this type says of its columns, and a source of this type of its own.
  public Native asNative() {
    String more = "[]".repeat(Math.max(0, dimensions(type) - 1));
    return new Native(PostgresConnector.NAME, declared + more, members());
  }

  /// The same with so many dimensions. The server takes arrays of any number whatever the column
  /// says, and its catalog keeps what was said, as a hint.
  ///
  /// @param dimensions 0 or 1 if nothing was said
  PostgresType withDimensions(int dimensions) {
    Type all = type;
    for (int i = 1; i < dimensions && all.nested() instanceof ListOf; i++) {
      all = Type.Opaque.listOf(all, Marks.BRACES);
    }
    return new PostgresType(declared, all, binaryCodec, wire, shape, parts);
  }

  /// How many lists are in each other; 0 if it is none.
  static int dimensions(Type type) {
    int dimensions = 0;
    for (Type at = type; at.nested() instanceof ListOf list; at = list.element()) {
      dimensions++;
    }
    return dimensions;
  }

  /// The names of a row's members, in order; those of rows in its members and in lists likewise.
  private String members() {
    String of =
        parts.stream()
            .map(part ->
                shape == Shape.ROW
                    ? PostgresSql.name(part.name) + part.type.members()
                    : part.type.members())
            .collect(Collectors.joining(","));
    return shape == Shape.ROW ? "(" + of + ")" : of;
  }

  /// All that tells the type from others whose values the server would change into its own without
  /// a word: another database may have one of the same name.
  public String identity() {
    String within = String.join(",", parts.stream().map(part -> part.type.identity()).toList());
    return declared
        + (wire.equals(declared) ? "" : " " + wire)
        + (within.isEmpty() ? "" : "{" + within + "}");
  }

  /// The most characters that it takes, or 0 if there is no limit. The server would cut off spaces
  /// beyond it without a word.
  public int charactersMax() {
    Matcher matcher = LENGTH.matcher(wire);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /// The smallest part of a second that it keeps, in microseconds; the server would round smaller
  /// ones without a word.
  public int microsStep() {
    Matcher matcher = FRACTION.matcher(wire);
    int step = 1;
    if (matcher.matches()) {
      for (int digits = Integer.parseInt(matcher.group(1)); digits < FRACTION_DIGITS; digits++) {
        step *= 10;
      }
    }
    return step;
  }

  /// Whether values of the other type mean the same when taken in binary for one of this type, and
  /// are refused by the server if they do not fit.
  public boolean takesWire(String otherWire) {
    if (otherWire.isEmpty() || wire.isEmpty()) {
      return false;
    }
    if (wire.equals(otherWire)) {
      return true;
    }
    return switch (wire) {
      case "text", "character varying" ->
          otherWire.equals("text")
              || otherWire.startsWith("character varying")
              || otherWire.startsWith("character(")
              || otherWire.equals("name")
              || otherWire.startsWith(PostgresTypes.ENUM_WIRE);
      case "numeric" -> otherWire.startsWith("numeric(");
      default -> false;
    };
  }
}
