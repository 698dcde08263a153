package millrace.connectors.sql.structure;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import millrace.spi.catalog.TableStructure.Action;
import millrace.spi.catalog.TableStructure.Constant;
import millrace.spi.catalog.TableStructure.Digits;
import millrace.spi.catalog.TableStructure.Now;
import millrace.spi.catalog.TableStructure.Truth;
import millrace.spi.catalog.TableStructure.Words;
import org.jspecify.annotations.Nullable;

/// How a database gives a table that is there what its structure says, as data. Names and literals
/// stand in it as SQL has them.
///
/// @param names how long they may be, and what becomes of those without quotes
/// @param columns the name that a copy gives a column
/// @param scopes where names are unique
/// @param numbering how rows are numbered
/// @param value the statement that gives rows of table `%1$s` without column `%2$s` the value
///   `%3$s`. `%4$s` is the column's declaration, and `%5$s` what stands behind it; empty if the
///   database can't
/// @param keys how keys are spelled
/// @param literals how values are
/// @param indexed what of a column is in an index
public record StructureSpelling(
    Names names,
    UnaryOperator<String> columns,
    Scopes scopes,
    Numbering numbering,
    String value,
    Keys keys,
    Literals literals,
    Indexed indexed) {

  public static final String VALUE = "ALTER TABLE %1$s ALTER COLUMN %2$s SET DEFAULT %3$s";

  /// How the rows of a table that is there are numbered from then on.
  ///
  /// @param statements number those of table `%1$s` in its column `%2$s`, declared as `%3$s`, from
  ///   `%4$d` on. `%5$s` is the name of a sequence, `%6$s` what stands behind the declaration, and
  ///   `%7$s` the sequence's name as a text
  /// @param behindGreatest whether the database sees to it that no number comes twice
  /// @param itself the declaration of a key whose rows the database numbers by itself; may be empty
  /// @param byKey whether it numbers only one column, with which a key or index begins
  public record Numbering(
      List<String> statements, boolean behindGreatest, String itself, boolean byKey) {

    /// The database can't.
    public static final Numbering NONE = new Numbering(List.of(), false, "");

    public Numbering(List<String> statements, boolean behindGreatest, String itself) {
      this(statements, behindGreatest, itself, false);
    }

    public Numbering {
      statements = List.copyOf(statements);
    }
  }

  /// Where names are unique.
  ///
  /// @param indexesBySchema of indexes: in a schema, else in a table
  /// @param constraintsBySchema of foreign keys and checks, likewise
  public record Scopes(boolean indexesBySchema, boolean constraintsBySchema) {}

  /// How keys are spelled.
  ///
  /// @param index the statement that makes an index, if `%1$s` is `UNIQUE ` a unique one, of the
  ///   name `%2$s` on table `%3$s` and the columns `%4$s`; with its schema the name is `%5$s`, and
  ///   without that the table's is `%6$s`
  /// @param constraint the statement that gives table `%1$s` a constraint of the name `%2$s` that
  ///   says `%3$s`; empty if the database gives none to a table that is there
  /// @param onDelete what may be said of rows whose other row is deleted
  /// @param onUpdate likewise of rows whose other row gets another key
  public record Keys(String index, String constraint, Set<Action> onDelete, Set<Action> onUpdate) {

    public static final String INDEX = "CREATE %1$sINDEX %2$s ON %3$s (%4$s)";
    public static final String INDEX_AGAIN = "CREATE %1$sINDEX IF NOT EXISTS %2$s ON %3$s (%4$s)";
    public static final String CONSTRAINT = "ALTER TABLE %1$s ADD CONSTRAINT %2$s %3$s";

    public Keys {
      onDelete = Set.copyOf(onDelete);
      onUpdate = Set.copyOf(onUpdate);
    }
  }

  /// How values are spelled.
  ///
  /// @param date the current date
  /// @param time the current time
  /// @param moment both
  /// @param truths false and true
  /// @param text a text
  /// @param typed whether the type stands in front of a date or time
  /// @param inParentheses the declarations of columns whose defaults stand in parentheses
  public record Literals(
      String date,
      String time,
      String moment,
      List<String> truths,
      UnaryOperator<String> text,
      boolean typed,
      String inParentheses) {

    /// Those of the standard.
    public static final Literals STANDARD =
        new Literals(
            "CURRENT_DATE",
            "LOCALTIME",
            "CURRENT_TIMESTAMP",
            List.of("FALSE", "TRUE"),
            Names::text,
            false,
            "");

    public Literals {
      truths = List.copyOf(truths);
    }

    /// A value; null if the database has none such in a column of that type.
    @Nullable String of(Constant value, Type type) {
      return switch (value) {
        case Digits(String digits) -> digits;
        case Truth(boolean truth) -> truths.get(truth ? 1 : 0);
        case Words(String words) -> (typed ? typeName(type) : "") + text.apply(words);
        case Now _ ->
            switch (type) {
              case Type.Date _ -> date;
              case Type.Time _ -> time.isEmpty() ? null : time;
              case Type.Timestamp _ -> moment;
              default -> null;
            };
      };
    }

    private static String typeName(Type type) {
      return switch (type) {
        case Type.Date _ -> "DATE ";
        case Type.Timestamp _ -> "TIMESTAMP ";
        default -> "";
      };
    }
  }

  /// Says what of a column is in an index.
  @FunctionalInterface
  public interface Indexed {

    /// What stands behind its name; null if it can't be in one.
    ///
    /// @param declared its type
    /// @param columns how many the index has
    /// @param whole whether the whole value has to be in it
    @Nullable String after(String declared, int columns, boolean whole);
  }

  /// The name of what belongs to a table, with its schema.
  String qualified(TableName table, String name) {
    return table.beside(name).sql(names);
  }
}
