package millrace.connectors.sql.types;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Column;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A database's types and ours, in both directions.
///
/// @param system the connector's name
/// @param rows the first that matches a declaration counts
/// @param ddl the declaration of a new column
public record TypeTable(String system, List<Row> rows, Function<Type, String> ddl) {

  private static final Pattern NUMBERS =
      Pattern.compile("(?i)\\(\\s*(\\d+)\\s*(?:CHAR|BYTE|,\\s*(\\d+)\\s*)?\\)");

  /// A declaration, what it means, and how its values are got and set.
  ///
  /// @param pattern of the whole declaration in capitals, without numbers in parentheses
  /// @param type what it means, by the whole declaration
  /// @param cell how values of a column declared like that are got and set, by its declaration as
  ///   it stands in the catalog
  public record Row(Pattern pattern, Function<String, Type> type, Function<String, Cell> cell) {

    /// A row of the table.
    public static Row of(String pattern, Meaning type, Cell cell) {
      return declared(pattern, type, _ -> cell);
    }

    /// A row whose values go by the numbers of the declaration: a database may cut what has more
    /// digits, or more bytes, without a word.
    public static Row of(String pattern, Meaning type, CellOf cell) {
      return declared(
          pattern,
          type,
          declared -> {
            Numbers numbers = Numbers.of(declared, -1);
            return cell.of(numbers.first, numbers.second);
          });
    }

    /// A row of whose declarations each has bounds of its own.
    public static Row declared(String pattern, Meaning type, Function<String, Cell> cell) {
      return new Row(
          Pattern.compile(pattern, Pattern.DOTALL),
          declared -> {
            Numbers numbers = Numbers.of(declared, 0);
            return type.of(numbers.first, numbers.second);
          },
          cell);
    }

    /// A row whose type has no numbers.
    public static Row of(String pattern, Type type, Cell cell) {
      return of(pattern, (_, _) -> type, cell);
    }
  }

  /// What a declaration means.
  @FunctionalInterface
  public interface Meaning {

    /// The type.
    ///
    /// @param first the first number in parentheses, 0 if there is none
    /// @param second the second, likewise
    Type of(int first, int second);
  }

  /// How values are got and set, by what a declaration says.
  @FunctionalInterface
  public interface CellOf {

    /// The cell.
    ///
    /// @param first the first number in parentheses, -1 if there is none
    /// @param second the second, likewise
    Cell of(int first, int second);
  }

  /// Gets one value of a row as its driver has it.
  @FunctionalInterface
  public interface Fetch {

    /// The value; null if it is missing.
    @Nullable Object from(ResultSet row, int column) throws SQLException;
  }

  /// Gets one value of a row.
  @FunctionalInterface
  public interface Getter {

    /// The end of what is said of a time with more digits than microseconds, which stands in the
    /// vector without them.
    String WITH_NANOSECONDS = ", with nanoseconds";

    /// Puts the value, which is not missing, into a vector.
    ///
    /// @param value as the cell fetches it
    /// @return null, or why it is none of the type, as the end of a sentence
    /// @throws SQLException what the driver says against it
    @Nullable String get(Object value, ResultSet row, int column, Vector into, int at)
        throws SQLException;
  }

  /// Gives one value of a row to what takes it.
  @FunctionalInterface
  public interface Setter {

    /// Takes the value, which is not missing, out of a vector.
    ///
    /// @return null, or why the database would not keep it as it is, as the end of a sentence
    /// @throws SQLException what the driver says against it
    @Nullable String set(RowParameters row, int parameter, Vector from, int at) throws SQLException;
  }

  /// Looks at a value before it is set.
  @FunctionalInterface
  public interface Check {

    /// Null, or why the database would not keep it as it is, as the end of a sentence.
    @Nullable String wrong(Vector from, int at);
  }

  /// How values of a type are got and set.
  ///
  /// @param nullType the type of {@link java.sql.Types} of a missing value
  /// @param compares whether the database compares values as their type does, so that it may be
  ///   given a condition on them
  /// @param comparing sets a value that is only compared with: no column has to keep it
  /// @param fetch gets the value for the getter
  public record Cell(
      Function<Type, Getter> getter,
      Function<Type, Setter> setter,
      int nullType,
      boolean compares,
      Function<Type, Setter> comparing,
      Fetch fetch) {

    /// One whose setter takes all that the type has, and whose getter what the driver makes of a
    /// value by itself.
    public Cell(
        Function<Type, Getter> getter,
        Function<Type, Setter> setter,
        int nullType,
        boolean compares) {
      this(getter, setter, nullType, compares, setter, ResultSet::getObject);
    }

    /// One whose values the database compares as their type does.
    public Cell(Function<Type, Getter> getter, Function<Type, Setter> setter, int nullType) {
      this(getter, setter, nullType, true);
    }

    /// The same with another way to set values.
    public Cell setting(Function<Type, Setter> other) {
      return new Cell(getter, other, nullType, compares, other, fetch);
    }

    /// The same with values checked before they are set: what a database would cut or round in
    /// silence is told.
    public Cell checked(Check check) {
      return new Cell(
          getter,
          type -> {
            Setter inner = setter.apply(type);
            return (row, parameter, from, at) -> {
              String wrong = check.wrong(from, at);
              return wrong == null ? inner.set(row, parameter, from, at) : wrong;
            };
          },
          nullType,
          compares,
          comparing,
          fetch);
    }

    /// The same with values fetched and got in another way.
    public Cell getting(Fetch otherFetch, Function<Type, Getter> other) {
      return new Cell(other, setter, nullType, compares, comparing, otherFetch);
    }

    /// The same for a database that keeps values as text, and compares that.
    public Cell asText() {
      return new Cell(getter, setter, nullType, false, comparing, fetch);
    }
  }

  /// A column's type, and how its values are got and set.
  public record MappedType(Type type, Cell cell) {}

  public TypeTable {
    rows = List.copyOf(rows);
  }

  /// A declaration in capitals on one line, without what stands in parentheses but for the unit of
  /// a length: `VARCHAR2(20 CHAR)` is VARCHAR2 CHAR.
  public static String bare(String declared) {
    return declared
        .replaceAll("(?i)\\(\\s*\\d+\\s+(CHAR|BYTE)\\s*\\)", " $1")
        .replaceAll("\\([^)]*\\)", "")
        .replaceAll("\\s+", " ")
        .strip()
        .toUpperCase(Locale.ROOT);
  }

  /// Which row a declaration fits, from 0.
  public int rowOf(String declared) {
    String bare = bare(declared);
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).pattern.matcher(bare).matches()) {
        return i;
      }
    }
    throw new Fault.Bug("the types of " + system + " end without a row for " + declared, null);
  }

  /// What a declaration means.
  public Type type(String declared) {
    return rows.get(rowOf(declared)).type.apply(declared);
  }

  /// The same, with how its values are got and set.
  public MappedType find(String declared) {
    return new MappedType(type(declared), rows.get(rowOf(declared)).cell.apply(declared));
  }

  /// What stands in parentheses.
  private record Numbers(int first, int second) {

    /// @param none stands for one that is missing
    static Numbers of(String declared, int none) {
      Matcher numbers = NUMBERS.matcher(declared);
      return numbers.find()
          ? new Numbers(number(numbers.group(1), none), number(numbers.group(2), none))
          : new Numbers(none, none);
    }
  }

  private static int number(@Nullable String digits, int none) {
    return digits == null ? none : digits.length() > 9 ? 0 : Integer.parseInt(digits);
  }

  /// The declaration of a new table's column: its own if it comes from the same system.
  public String declaration(Column column) {
    String declared = column.declaredIn(system);
    return declared != null ? declared : ddl.apply(column.type());
  }
}
