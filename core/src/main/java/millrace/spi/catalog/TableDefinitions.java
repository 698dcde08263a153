package millrace.spi.catalog;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose tables can be made like tables of the same system, with all
/// that belongs to them: keys, indexes, foreign keys, checks, defaults, comments. Types, functions,
/// views and whatever else their schemas hold come along if that is asked for.
public interface TableDefinitions {

  /// Reads how tables are defined, for those whose target is not there, and what else comes along.
  /// Changes nothing.
  ///
  /// @param tables all tables of a job: a foreign key comes along only if both its tables are there
  ///   in the end
  /// @param context is told what the looking waits for
  Found definitions(List<Placed> tables, Scope scope, OpenContext context);

  /// Carries statements of definitions out, one after the other.
  ///
  /// @param to the table that they are of, or any of those of the job
  /// @param again whether some may have been carried out before: what is there already is passed
  ///   over
  /// @param context is told what they wait for
  /// @throws millrace.fault.Fault if the server refuses one; it names the statement
  void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context);

  /// How much of a database comes along.
  ///
  /// @param requested the pattern that named the tables: schemas that hold none come along too, if
  ///   it means them
  /// @param grants whether owners and grants come along with all else, if the system has them
  record Scope(Reach reach, TablePattern requested, boolean grants) {

    public static final Scope TABLES = of(Reach.TABLES);
    public static final Scope ALL = of(Reach.ALL);
    public static final Scope ALL_IF_EMPTY = of(Reach.ALL_IF_EMPTY);

    /// What comes along with tables.
    public enum Reach {
      /// What belongs to them.
      TABLES,
      /// All that their schemas hold, and the schemas.
      ALL,
      /// All of that if the target's schemas hold nothing yet, else what belongs to the tables.
      ALL_IF_EMPTY
    }

    private static Scope of(Reach reach) {
      return new Scope(reach, TablePattern.parse("*"), false);
    }

    /// Whether all that schemas hold comes along.
    ///
    /// @param isEmpty whether the target's schemas hold nothing yet
    public boolean isWhole(BooleanSupplier isEmpty) {
      return reach == Reach.ALL || (reach == Reach.ALL_IF_EMPTY && isEmpty.getAsBoolean());
    }

    /// The same of a job that goes on with one that made all: the target is no longer empty.
    public Scope goingOn() {
      return reach == Reach.ALL_IF_EMPTY ? new Scope(Reach.ALL, requested, grants) : this;
    }
  }

  /// What is made, and when. First the steps of `before`, then tables that are not among them, each
  /// before its rows; then the statements that follow rows; then `after`.
  ///
  /// @param tables one for each, in the same order
  /// @param before what is made before all rows, in an order in which nothing lacks what it needs;
  ///   only what is not there
  /// @param after what is made when all rows and keys are in, likewise
  /// @param leftOut what of their schemas does not come along
  /// @param advice how it comes along all the same, with its commands on lines of their own
  /// @param whole whether all that the schemas hold was looked at, see {@link Scope}
  record Found(
      List<CopiedDefinition> tables,
      List<Step> before,
      List<Made> after,
      List<LeftOut> leftOut,
      List<String> advice,
      boolean whole) {

    public Found {
      tables = List.copyOf(tables);
      before = List.copyOf(before);
      after = List.copyOf(after);
      leftOut = List.copyOf(leftOut);
      advice = List.copyOf(advice);
    }

    /// The same with other labels for the tables that foreign keys and what is made last refer to.
    public Found withReferences(UnaryOperator<String> labels) {
      return new Found(
          tables.stream().map(each -> each.withReferences(labels)).toList(),
          before,
          after.stream().map(each -> each.of(labels.apply(each.table))).toList(),
          leftOut,
          advice,
          whole);
    }

    /// Tables alone.
    public static Found ofTables(
        List<CopiedDefinition> tables, List<LeftOut> leftOut, List<String> advice) {
      return new Found(tables, List.of(), List.of(), ifMade(tables, leftOut), advice, false);
    }

    /// What does not come along with tables; nothing is left if none of them is made.
    public static List<LeftOut> ifMade(List<CopiedDefinition> tables, List<LeftOut> leftOut) {
      return tables.stream().allMatch(CopiedDefinition.NONE::equals) ? List.of() : leftOut;
    }
  }

  /// One of the steps before all rows.
  sealed interface Step {}

  /// Makes one of the tables.
  ///
  /// @param table its place among all, from 0
  record Table(int table) implements Step {}

  /// Makes something else.
  ///
  /// @param kind what it is, in a word or two, such as `function`
  /// @param name its own, with its schema
  /// @param table the label of the one whose rows come first: of a trigger, which would run on
  ///   them; `*` for all tables of the job, empty for none
  record Made(String kind, String name, List<String> statements, String table) implements Step {

    public static final String ALL_TABLES = "*";

    public Made {
      statements = List.copyOf(statements);
    }

    public Made(String kind, String name, List<String> statements) {
      this(kind, name, statements, "");
    }

    /// The same of another table.
    public Made of(String label) {
      return new Made(kind, name, statements, label);
    }

    /// Those of several, in their order.
    public static List<String> statements(List<Made> objects) {
      return objects.stream().flatMap(made -> made.statements.stream()).toList();
    }
  }

  /// A table and where it goes.
  record Placed(TableEntry from, Endpoint to) {}
}
