package millrace.data;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The neutral type of a column: what a value means, whatever system it came from or goes to.
///
/// Every connector maps its own types to and from these in one table, so that N systems need N
/// tables and not N times N. A type that only one system knows crosses as {@link Opaque} text in
/// that system's own spelling, and the column's {@link Native} declaration says which type that is.
///
/// The values of each type are held in the {@link Layout} that {@link #layout()} names.

public sealed interface Type extends Serializable {

  /// A number.
  sealed interface Numeric extends Type {}

  /// A date, a time, or both.
  sealed interface Temporal extends Type {}

  /// UTF-8 text in {@link Layout#BYTES}, whatever it means.
  sealed interface Textual extends Type {}

  /// True (1) or false (0), in {@link Layout#LONGS}.
  record Bool() implements Type {}

  /// A signed integer of 16, 32 or 64 bits, in {@link Layout#LONGS}.
  record Int(int bits) implements Numeric {}

  /// A binary floating-point number of 32 or 64 bits, in {@link Layout#DOUBLES}; NaN, infinities
  /// and the sign of zero are kept.
  record Float(int bits) implements Numeric {}

  /// An exact decimal number.
  ///
  /// Up to {@link Decimals#DIGITS_IN_LONG} digits with a fixed scale it is a count of units of
  /// 10^-scale in {@link Layout#LONGS}, with {@link Decimals#NAN} for NaN. Otherwise it is plain
  /// UTF-8 text in {@link Layout#BYTES}, in the spelling of {@link Decimals}, trailing zeros kept.
  ///
  /// @param precision most digits in all, or 0 if the type sets no limit
  /// @param scale digits after the point; for precision 0 each value has its own
  record Decimal(int precision, int scale) implements Numeric {
    /// The decimal without limits, as PostgreSQL's plain `numeric`.
    public static final Decimal UNLIMITED = new Decimal(0, 0);
  }

  /// A calendar date: days since 2000-01-01 in {@link Layout#LONGS}; see {@link Temporals}.
  record Date() implements Temporal {}

  /// A time of day: microseconds since midnight in {@link Layout#LONGS}, 24:00 included.
  ///
  /// @param isLong whether it may be beyond a day, or below zero, as a TIME of MySQL
  record Time(boolean isLong) implements Temporal {

    /// One within a day.
    public Time() {
      this(false);
    }
  }

  /// A date and time: microseconds since 2000-01-01 00:00 in {@link Layout#LONGS}; see {@link
  /// Temporals}.
  ///
  /// @param zoned whether it is an instant (counted in UTC) rather than a wall-clock reading
  record Timestamp(boolean zoned) implements Temporal {}

  /// A UUID: its 16 bytes, most significant first, in {@link Layout#BYTES}.
  record Uuid() implements Type {}

  /// A JSON document: UTF-8 text, spelled as it came, in {@link Layout#BYTES}.
  record Json() implements Textual {}

  /// Text: UTF-8 in {@link Layout#BYTES}.
  ///
  /// @param lengthMax the greatest length, or 0 if the type sets no limit
  /// @param unit what the length counts
  record Text(int lengthMax, Unit unit) implements Textual {

    /// Text of any length.
    public static final Text UNLIMITED = new Text(0);

    /// What the length of a text counts; systems differ in it.
    public enum Unit {
      /// Unicode code points.
      CHARACTERS("characters", ""),
      /// What Java and SQL Server's NVARCHAR call characters: a code point above U+FFFF is two.
      UTF16("UTF-16 units", " utf-16"),
      /// Bytes of UTF-8.
      BYTES("bytes", " bytes");

      private final String words;
      private final String suffix;

      Unit(String words, String suffix) {
        this.words = words;
        this.suffix = suffix;
      }

      /// What they are called in a sentence, in the plural.
      public String words() {
        return words;
      }

      /// The most of the other units that one of these can be.
      private int most(Unit other) {
        return switch (this) {
          case CHARACTERS -> other == CHARACTERS ? 1 : other == UTF16 ? 2 : 4;
          case UTF16 -> other == BYTES ? 3 : 1;
          case BYTES -> 1;
        };
      }
    }

    public Text {
      unit = lengthMax == 0 ? Unit.CHARACTERS : unit;
    }

    /// Text of at most that many characters, or of any length if it is 0.
    public Text(int lengthMax) {
      this(lengthMax, Unit.CHARACTERS);
    }

    /// Whether every text of the other type is short enough for this one.
    public boolean holds(Text other) {
      return lengthMax == 0
          || (other.lengthMax > 0 && (long) other.lengthMax * other.unit.most(unit) <= lengthMax);
    }
  }

  /// Raw bytes, in {@link Layout#BYTES}.
  record Bytes() implements Type {}

  /// A type that only its own system knows: UTF-8 text in that system's spelling, in {@link
  /// Layout#BYTES}. The column's {@link Native} says which type it is.
  ///
  /// @param nested of what its values are made, if others can have them as what they are, in their
  ///   own spelling; else null
  record Opaque(@Nullable Nested nested) implements Textual {

    /// One that nobody else can have as what it is.
    public Opaque() {
      this(null);
    }

    /// What the text of a value holds: values that stand alone, and lists and structs of them.
    public sealed interface Nested extends Serializable {

      /// How its text is spelled, and that of all within it.
      Marks marks();

      /// The same in another spelling.
      default Nested spelled(Marks other) {
        return switch (this) {
          case ListOf(Type element, Marks _) -> new ListOf(Opaque.spelled(element, other), other);
          case StructOf(List<Member> members, Marks _) ->
              new StructOf(
                  members.stream()
                      .map(each -> new Member(each.name, Opaque.spelled(each.type, other)))
                      .toList(),
                  other);
        };
      }
    }

    /// A list of values, or of nulls for those that are missing.
    ///
    /// @param element what its elements are
    /// @param marks how its text is spelled
    public record ListOf(Type element, Marks marks) implements Nested {}

    /// Values that have names, each of which may be missing.
    ///
    /// @param members at least one, in their order
    /// @param marks how its text is spelled
    public record StructOf(List<Member> members, Marks marks) implements Nested {

      public StructOf {
        members = List.copyOf(members);
      }

      /// The names of its members, as a message shows them.
      public String names() {
        return members.stream().map(Member::name).collect(Collectors.joining(",", "(", ")"));
      }
    }

    /// One of the values of a struct.
    public record Member(String name, Type type) implements Serializable {}

    /// How the text of lists and structs is spelled.
    public enum Marks {
      /// `{1,NULL,"a b"}` and `(1,,"a b")`, as PostgreSQL does it. A list of lists has lists of one
      /// length in it.
      BRACES,
      /// `[1, NULL, 'a b']` and `{'a': 1, 'b': NULL}`, as DuckDB does it.
      BRACKETS,
      /// `[1,null,"a b"]` and `{"a":1,"b":null}`.
      JSON
    }

    /// A list; or a type that only its own system knows, if its elements are of such a type.
    public static Opaque listOf(Type element, Marks marks) {
      return isKnown(element) ? new Opaque(new ListOf(element, marks)) : new Opaque();
    }

    /// A struct; or a type that only its own system knows, if it has no members, two of one name,
    /// or one of such a type.
    public static Opaque structOf(List<Member> members, Marks marks) {
      boolean isKnown =
          !members.isEmpty()
              && members.stream().allMatch(each -> isKnown(each.type))
              && members.stream().map(Member::name).distinct().count() == members.size();
      return isKnown ? new Opaque(new StructOf(members, marks)) : new Opaque();
    }

    private static boolean isKnown(Type type) {
      return !(type instanceof Opaque(Nested nested)) || nested != null;
    }

    private static Type spelled(Type type, Marks marks) {
      return type instanceof Opaque(Nested nested) && nested != null
          ? new Opaque(nested.spelled(marks))
          : type;
    }
  }

  /// What a value is made of, if it is a list or a struct; else null.
  default Opaque.@Nullable Nested nested() {
    return null;
  }

  /// Which kind of array holds the values.
  enum Layout {
    LONGS,
    DOUBLES,
    BYTES
  }

  /// The layout of this type's values.
  default Layout layout() {
    return switch (this) {
      case Bool _, Int _, Date _, Time _, Timestamp _ -> Layout.LONGS;
      case Float _ -> Layout.DOUBLES;
      case Decimal decimal -> Decimals.fitsLong(decimal) ? Layout.LONGS : Layout.BYTES;
      case Uuid _, Json _, Text _, Bytes _, Opaque _ -> Layout.BYTES;
    };
  }

  /// The name a user reads in plans, previews and errors, and writes in `--columns`.
  default String label() {
    return switch (this) {
      case Bool _ -> "boolean";
      case Int integer -> "int" + integer.bits();
      case Float number -> "float" + number.bits();
      case Decimal(int precision, int scale) ->
          precision == 0 ? "decimal" : "decimal(" + precision + "," + scale + ")";
      case Date _ -> "date";
      case Time _ -> "time";
      case Timestamp(boolean zoned) -> zoned ? "timestamptz" : "timestamp";
      case Uuid _ -> "uuid";
      case Json _ -> "json";
      case Text(int lengthMax, Text.Unit unit) ->
          lengthMax == 0 ? "text" : "text(" + lengthMax + unit.suffix + ")";
      case Bytes _ -> "bytes";
      case Opaque(Opaque.Nested nested) ->
          switch (nested) {
            case null -> "opaque";
            case Opaque.ListOf list -> list.element.label() + "[]";
            case Opaque.StructOf struct ->
                struct.members.stream()
                    .map(each -> each.name + " " + each.type.label())
                    .collect(Collectors.joining(", ", "struct(", ")"));
          };
    };
  }
}
