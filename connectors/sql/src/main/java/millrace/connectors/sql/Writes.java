package millrace.connectors.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Column;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// How the tables of a database are written to.
@FunctionalInterface
public interface Writes {

  /// What of the database is the same always.
  Dialect.Profile profile();

  /// How comments get on a table that is made.
  default CommentStyle commentStyle() {
    return CommentStyle.NONE;
  }

  /// How a merge into a table tells values apart.
  ///
  /// @param found the same table
  /// @param key the columns that it goes by
  default Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    return Equality.of(key, _ -> "%s IS NOT DISTINCT FROM %s");
  }

  /// The type as which a column takes values of another.
  ///
  /// @param label the table, for errors
  /// @param incoming as the source has it
  /// @param target where it goes; what it becomes if the table is made
  /// @throws millrace.fault.Fault.User if they would not arrive as they are, whatever they are
  default Type accepted(String label, Column incoming, ColumnInfo target) {
    Type type = profile().types().type(target.typedAs());
    return type instanceof Type.Opaque ? Type.Text.UNLIMITED : type;
  }

  /// The declaration of a new column of a key; some databases index less than they hold.
  ///
  /// @param declared what the column would be if it were none
  /// @param columns how many the key has
  default String keyed(String declared, int columns) {
    return declared;
  }

  /// The statement that makes a staging table whose columns take values as those of another do.
  ///
  /// @param columns some of the other's
  /// @param more names of further columns, each with its type behind a blank
  default String stage(
      TableName staging, TableName like, List<ColumnInfo> columns, List<String> more) {
    Names names = profile().names();
    List<String> declarations = new ArrayList<>();
    columns.forEach(each -> declarations.add(names.quoted(each.name()) + " " + each.declared()));
    declarations.addAll(more);
    String create = profile().statements().tables().create();
    return create.formatted(staging.sql(names), String.join(", ", declarations));
  }

  /// The schema of what a copy keeps for itself: its journal, and rows that are to be inserted or
  /// merged at its end.
  ///
  /// @param table the target
  default String ownSchema(TableName table) {
    return table.schema();
  }

  /// The statements that put one table in the place of another, at once if possible. Between two of
  /// them a run may be killed: as long as the staging table is there, another run does all of them
  /// once more, so that the last one takes its name, or drops it. A table that is made for the
  /// target has no rows then, or all: what is no such table is somebody else's, and stays.
  ///
  /// @param replaced the table that goes, or null
  /// @param old a name for it until it is dropped
  default List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old) {
    Names names = profile().names();
    String rename = profile().statements().tables().rename();
    String take = rename.formatted(staging.sql(names), names.quoted(target.name()));
    return replaced == null
        ? List.of(take)
        : List.of(rename.formatted(replaced.sql(names), names.quoted(old.name())), take);
  }

  /// How staged rows are merged.
  default MergeTables.MergeStatements merge(MergeTables tables) {
    return tables.statements();
  }

  /// How values are told apart, as SQL with `%s` for a value.
  ///
  /// @param key for each column of a key, what two values have in common if the table takes them
  ///   for one
  /// @param same of a column, whether two of its values are the same to the last letter, with `%s`
  ///   for one and the other in turn
  record Equality(List<String> key, Function<String, String> same) {

    /// One that compares all columns alike, and those of a key as they are.
    public static Equality of(List<ColumnInfo> key, Function<String, String> same) {
      return new Equality(key.stream().map(_ -> "%s").toList(), same);
    }

    public Equality {
      key = List.copyOf(key);
    }
  }
}
