package millrace.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.data.Type.Text.Unit;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// A parameter that lists columns, `name:type,…`, of which types may be left out; quotes around a
/// name take commas and colons into it. Connectors call it for systems that have no types of their
/// own.
public final class ColumnsOption {

  /// A name, and a type if one was given.
  ///
  /// @param name never empty
  /// @param type null if none was given
  /// @param heldAs how the system holds values of that type, such as `unix` of `timestamp(unix)`;
  ///   empty if nobody says
  public record Named(String name, @Nullable Type type, String heldAs) {

    public Named(String name, @Nullable Type type) {
      this(name, type, "");
    }
  }

  private static final Pattern WITH_WORD =
      Pattern.compile(
          "\\s*([a-z][a-z 0-9]*(?:\\([0-9, ]*\\))?)\\s*\\(\\s*([a-z][a-z ]*)\\s*\\)\\s*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern WITH_NUMBERS =
      Pattern.compile(
          "([a-z"
              + " ]+[0-9]*)\\s*(?:\\(\\s*([0-9]{1,9})\\s*(?:,\\s*([0-9]{1,9})\\s*|(bytes|utf-16)\\s*)?\\))?");

  private static final List<String> TYPES =
      List.of(
          "boolean",
          "int16",
          "int32",
          "int64",
          "float32",
          "float64",
          "decimal",
          "date",
          "time",
          "timestamp",
          "timestamptz",
          "uuid",
          "json",
          "text",
          "bytes");

  private ColumnsOption() {}

  /// What the endpoint says; empty if it says nothing.
  ///
  /// @param option name of the parameter
  /// @throws Fault.User if a type is not known
  public static List<Named> of(Endpoint endpoint, String option) {
    return of(endpoint, option, List.of());
  }

  /// The same of a system that holds values of one type in several ways.
  ///
  /// @param ways in which it may hold dates and times, such as `unix`
  /// @throws Fault.User if a type is not known
  public static List<Named> of(Endpoint endpoint, String option, List<String> ways) {
    return of(endpoint, option, ways, List.of());
  }

  /// The same of one that holds numbers in several ways too.
  ///
  /// @param numberWays in which it may hold numbers, such as `percent`
  /// @throws Fault.User if a type is not known
  public static List<Named> of(
      Endpoint endpoint, String option, List<String> ways, List<String> numberWays) {
    return parse(option, endpoint.text(option).orElse(""), ways, numberWays);
  }

  /// A list as the user writes it.
  ///
  /// @param option what messages call it
  /// @throws Fault.User if a type is not known
  public static List<Named> parse(String option, String text) {
    return parse(option, text, List.of(), List.of());
  }

  private static List<Named> parse(
      String option, String text, List<String> ways, List<String> numberWays) {
    List<Named> named = new ArrayList<>();
    for (NameList.Entry entry : NameList.entries(option, text)) {
      String quoted = entry.quoted();
      String bare = entry.bare();
      if (quoted == null && bare.isEmpty()) {
        continue;
      }
      int colon = bare.lastIndexOf(':');
      String before = colon < 0 ? bare : bare.substring(0, colon).strip();
      if (quoted != null && !before.isEmpty()) {
        throw new Fault.User(
            option + "=" + text + " has '" + before + "' behind a closing quote.",
            "Write " + option + "=\"name\":type,…; a quote inside quotes is written \"\".");
      }
      String name = quoted == null ? before : quoted;
      if (name.isEmpty()) {
        throw new Fault.User(
            option + "=" + text + " has a column without a name.",
            "Write " + option + "=name:type,…");
      }
      named.add(
          colon < 0
              ? new Named(name, null)
              : named(name, bare.substring(colon + 1), ways, numberWays));
    }
    return named;
  }

  private static Named named(String name, String text, List<String> ways, List<String> numberWays) {
    Matcher matcher = WITH_WORD.matcher(text);
    String way = matcher.matches() ? matcher.group(2).strip().toLowerCase(Locale.ROOT) : "";
    if (numberWays.contains(way)) {
      return new Named(name, number(text, type(matcher.group(1))), way);
    }
    if (!ways.contains(way)) {
      return new Named(name, type(text));
    }
    Type type = type(matcher.group(1));
    if (!(type instanceof Type.Date || type instanceof Type.Timestamp)) {
      throw new Fault.User(
          "The type '" + text + "' is not known: only dates and times are held in several ways.",
          "Write date(" + way + "), timestamp(" + way + ") or timestamptz(" + way + ").");
    }
    return new Named(name, type, way);
  }

  private static Type number(String text, Type type) {
    if (type instanceof Type.Numeric) {
      return type;
    }
    throw new Fault.User(
        "The type '" + text + "' is not known: only numbers have units.",
        "Write a number, such as decimal(5,2)(percent).");
  }

  /// A type by its label, or by the name that SQL has for it.
  private static Type type(String text) {
    Matcher matcher = WITH_NUMBERS.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw unknown(text);
    }
    int first = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    int second = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
    return switch (matcher.group(1).strip()) {
      case "boolean", "bool" -> new Type.Bool();
      case "int16", "smallint" -> new Type.Int(16);
      case "int32", "int", "integer" -> new Type.Int(32);
      case "int64", "bigint", "long" -> new Type.Int(64);
      case "float32", "real", "float" -> new Type.Float(32);
      case "float64", "double", "double precision" -> new Type.Float(64);
      case "decimal", "numeric" -> decimal(text, first, second);
      case "date" -> new Type.Date();
      case "time" -> new Type.Time();
      case "timestamp" -> new Type.Timestamp(false);
      case "timestamptz" -> new Type.Timestamp(true);
      case "uuid" -> new Type.Uuid();
      case "json" -> new Type.Json();
      case "text", "varchar", "char", "string" -> new Type.Text(first, unit(matcher.group(4)));
      case "bytes", "bytea", "blob" -> new Type.Bytes();
      default -> throw unknown(text);
    };
  }

  private static Unit unit(@Nullable String name) {
    return name == null ? Unit.CHARACTERS : name.equals("bytes") ? Unit.BYTES : Unit.UTF16;
  }

  private static Type decimal(String text, int precision, int scale) {
    if (scale > precision) {
      throw new Fault.User(
          text + " has more digits after the point than in all.", "Write decimal(digits,scale).");
    }
    return new Type.Decimal(precision, scale);
  }

  private static Fault.User unknown(String text) {
    return new Fault.User(
        "The type '" + text + "' is not known.",
        (Nearest.hint(text, TYPES) + " Known are " + String.join(", ", TYPES) + ".").strip());
  }
}
