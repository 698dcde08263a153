package millrace.connectors.sql;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Type;
import millrace.spi.write.TargetColumn;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// What a catalog says of a table, a view or a query.
///
/// @param kind what it is
/// @param columns its columns in order
/// @param key names of its primary key's columns
/// @param cut what its rows can be cut by; null if they can't
/// @param rows about how many there are, or -1 if only counting would tell
/// @param dependents tables whose foreign keys point here
/// @param definition what is lost with it
/// @param rowRules what it does by itself to rows that are inserted
public record TableInfo(
    Kind kind,
    List<ColumnInfo> columns,
    List<String> key,
    @Nullable Cut cut,
    long rows,
    List<String> dependents,
    Definition definition,
    RowRules rowRules) {

  /// What of a table is lost with it, beside columns, `NOT NULL` and the key.
  ///
  /// @param rules what its own statement says, in words
  /// @param dependentObjects its indexes and triggers
  /// @param views those that keep it from being taken away
  public record Definition(
      List<String> rules, List<DependentObject> dependentObjects, List<String> views) {

    /// Nothing.
    public static final Definition NONE = new Definition(List.of(), List.of());

    /// One of a table that no view keeps.
    public Definition(List<String> rules, List<DependentObject> dependentObjects) {
      this(rules, dependentObjects, List.of());
    }

    public Definition {
      rules = List.copyOf(rules);
      dependentObjects = List.copyOf(dependentObjects);
      views = List.copyOf(views);
    }
  }

  /// An index or a trigger of a table.
  ///
  /// @param name in words, such as `index by_name`
  /// @param checks whether it tells which rows may be in the table
  /// @param drop the statement that takes it away
  /// @param make the statement that makes it again
  public record DependentObject(String name, boolean checks, String drop, String make) {}

  /// What rows are read from.
  public enum Kind {
    TABLE,
    /// May give other rows at any time, and a row more than once if it is cut: so it is cut only if
    /// the user says that it does not.
    VIEW,
    /// The same, named by the user.
    QUERY
  }

  public TableInfo {
    if (kind == Kind.QUERY && cut != null) {
      throw new IllegalArgumentException("a query is not cut: it might give rows twice");
    }
    columns = List.copyOf(columns);
    key = List.copyOf(key);
    dependents = List.copyOf(dependents);
  }

  /// A view or a query.
  public static TableInfo whole(Kind kind, List<ColumnInfo> columns) {
    return new TableInfo(
        kind, columns, List.of(), null, -1, List.of(), Definition.NONE, RowRules.NONE);
  }

  /// What a table does by itself to rows that are inserted, without an error.
  ///
  /// @param replaces whether one may take the place of others
  /// @param onInsert names of triggers that run for each
  /// @param onUpdate names of triggers that run for each row that is updated
  /// @param notUndone why rows are not undone with their transaction, as a sentence without its
  ///   end; empty if they are
  public record RowRules(
      boolean replaces, List<String> onInsert, List<String> onUpdate, String notUndone) {

    /// One whose rows are undone with their transaction.
    public RowRules(boolean replaces, List<String> onInsert, List<String> onUpdate) {
      this(replaces, onInsert, onUpdate, "");
    }

    /// Nothing.
    public static final RowRules NONE = new RowRules(false, List.of(), List.of());

    public RowRules {
      onInsert = List.copyOf(onInsert);
      onUpdate = List.copyOf(onUpdate);
    }
  }

  /// How a definition names a column that is read and written only by its name.
  public static final String INVISIBLE = "invisible column ";

  /// What stands behind the name of one that must have a value and gets none.
  public static final String REQUIRED = " not null";

  /// The names of its invisible columns.
  ///
  /// @param required whether those alone that must have a value and get none
  public List<String> invisible(boolean required) {
    return definition.rules.stream()
        .filter(rule -> rule.startsWith(INVISIBLE) && (!required || rule.endsWith(REQUIRED)))
        .map(rule -> rule.substring(INVISIBLE.length()).replaceFirst(REQUIRED + "$", ""))
        .toList();
  }

  /// What the user should know who reads it.
  ///
  /// @param of how it is cut; null if it is not
  public List<String> notes(@Nullable Cut of) {
    List<String> hidden = invisible(false);
    boolean isOne = hidden.size() == 1;
    return Stream.of(
            of == null ? "" : of.perLane(),
            of == null ? "" : of.note(),
            hidden.isEmpty()
                ? ""
                : "%s %s invisible in the table, and left out: a query can name %s."
                    .formatted(
                        NameList.columns(hidden), isOne ? "is" : "are", isOne ? "it" : "them"))
        .filter(note -> !note.isEmpty())
        .toList();
  }

  /// The same table, whose definition says this as well.
  public TableInfo ruled(List<String> more) {
    List<String> all = Stream.concat(definition.rules.stream(), more.stream()).toList();
    Definition longer = new Definition(all, definition.dependentObjects, definition.views);
    return new TableInfo(kind, columns, key, cut, rows, dependents, longer, rowRules);
  }

  /// The same table, which those views keep.
  public TableInfo requiredBy(List<String> views) {
    Definition required = new Definition(definition.rules, definition.dependentObjects, views);
    return new TableInfo(kind, columns, key, cut, rows, dependents, required, rowRules);
  }

  /// When the database gives a column a value by itself: a default, a number or a trigger's.
  public enum Filled {
    NEVER,
    /// If a row comes without the column.
    IF_LEFT_OUT,
    /// The same, or if a row comes with null for it.
    IF_NULL,
    /// Always: it takes no value.
    ALWAYS
  }

  /// A column.
  ///
  /// @param declared its type as the database declares it; may be empty
  /// @param typedAs the declaration by which the type table is to know it; mostly the same
  /// @param nullable whether there may be nulls in it
  /// @param filled when the database gives it a value
  /// @param generated whether the database computes it
  public record ColumnInfo(
      String name,
      String declared,
      String typedAs,
      boolean nullable,
      Filled filled,
      boolean generated) {

    /// One that never gets a value in the place of null.
    ///
    /// @param hasDefault whether a row without it gets a value
    public ColumnInfo(
        String name,
        String declared,
        String typedAs,
        boolean nullable,
        boolean hasDefault,
        boolean generated) {
      this(
          name,
          declared,
          typedAs,
          nullable,
          hasDefault ? Filled.IF_LEFT_OUT : Filled.NEVER,
          generated);
    }

    /// What the column is to the rest of the world.
    public Column column(TypeTable types) {
      // What was found out by looking at values says nothing of a column with that declaration.
      boolean says = !declared.isEmpty() && declared.equals(typedAs);
      Native known = says ? new Native(types.system(), declared) : null;
      return new Column(name, types.type(typedAs), nullable, known);
    }

    /// The same, known to the type table by another declaration.
    public ColumnInfo typedAs(String other) {
      return new ColumnInfo(name, declared, other, nullable, filled, generated);
    }

    /// The same in a table with a trigger, which may give it the value that it has to have.
    public ColumnInfo filledByTrigger(Filled when) {
      return nullable || hasDefault()
          ? this
          : new ColumnInfo(name, declared, typedAs, false, when, generated);
    }

    /// Whether a row without it gets a value.
    public boolean hasDefault() {
      return filled != Filled.NEVER;
    }
  }

  /// A value by which the database finds rows fast, and by whose ranges they are read.
  ///
  /// @param sql the value as SQL
  /// @param type its type, and how it is got and set
  /// @param nullable whether it may be missing
  /// @param keys finds the values at which rows are cut
  /// @param perLane what the user should know of ranges of which each lane has one, however large,
  ///   as a sentence; empty if they are as large as they are asked to be
  /// @param part what stands behind the table's name to read one part of it, with `%s` for the
  ///   part's name: then `keys` finds the names of all parts, in the order in which they are read.
  ///   Empty if ranges of values are read
  /// @param note why it is cut so and no better, as a sentence; empty if there is nothing to say
  public record Cut(
      String sql,
      TypeTable.MappedType type,
      boolean nullable,
      RangeStarts keys,
      String perLane,
      String part,
      String note) {

    /// One of which there is nothing to say.
    public Cut(
        String sql,
        TypeTable.MappedType type,
        boolean nullable,
        RangeStarts keys,
        String perLane,
        String part) {
      this(sql, type, nullable, keys, perLane, part, "");
    }

    /// The same, with something to say.
    public Cut noting(String why) {
      return new Cut(sql, type, nullable, keys, perLane, part, why);
    }

    /// One whose values are looked for in its order, if they do not lie evenly.
    public Cut(String sql, TypeTable.MappedType type, boolean nullable) {
      this(sql, type, nullable, (_, _) -> null, "", "");
    }

    /// One of ranges.
    public Cut(
        String sql, TypeTable.MappedType type, boolean nullable, RangeStarts keys, String perLane) {
      this(sql, type, nullable, keys, perLane, "");
    }

    /// Finds where ranges begin, or what parts there are. It is asked by the thread that hands out
    /// splits, for numbers and times only if they do not lie evenly.
    @FunctionalInterface
    public interface RangeStarts {

      /// The values that ranges begin with, in ascending order, but for the first range's; null if
      /// they are to be looked for in the database's order. Of a table that is cut by its parts,
      /// their names. Each is found when it is needed.
      @Nullable Stream<String> find(SqlSession session, RangeSize wanted);
    }

    /// The ranges that are wanted.
    ///
    /// @param bytes about how many bytes one is to have
    /// @param rows about how many rows that is, at least 1
    /// @param lanes how many read
    /// @param notes takes what the user should know of how they were found, a sentence each
    public record RangeSize(long bytes, long rows, int lanes, Consumer<String> notes) {}

    /// A column; null if its type can't be cut by. A range begins with the very value that a row
    /// has, so it must be one of few spellings and no binary fraction.
    public static @Nullable Cut of(ColumnInfo column, Dialect.Profile profile) {
      TypeTable.MappedType found = profile.types().find(column.typedAs());
      boolean hasRanges =
          switch (found.type()) {
            case Type.Int _, Type.Decimal _, Type.Temporal _ -> true;
            case Type.Text _, Type.Uuid _, Type.Bytes _ -> true;
            case Type.Bool _, Type.Float _, Type.Json _, Type.Opaque _ -> false;
          };
      return hasRanges && found.cell().compares()
          ? new Cut(profile.names().quoted(column.name()), found, column.nullable())
          : null;
    }
  }

  /// Why it is read as one; empty if it can be cut.
  public String whole() {
    return switch (kind) {
      case VIEW -> cut == null ? "a view is read as one" : "";
      case QUERY -> "a query is read as one";
      case TABLE -> cut == null ? "the table has no key to cut it by" : "";
    };
  }

  /// Its columns as a target describes them.
  public List<TargetColumn> targetColumns(TypeTable types) {
    return columns.stream()
        .map(column -> {
          Column neutral = column.column(types);
          return new TargetColumn(
              column.name(),
              neutral.type(),
              neutral.declared(),
              column.nullable(),
              column.hasDefault(),
              column.generated() ? "a generated column" : "");
        })
        .toList();
  }

  /// The column of that name.
  public ColumnInfo column(String name) {
    return columns.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
