package millrace.job;

import java.util.List;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TablePattern;
import org.jspecify.annotations.Nullable;

/// Which tables are to be copied, and how each.
///
/// @param each what is asked of each copy. Of many tables, its job goes from an end that names them
///   to one that is a template, see {@link NameTemplate}
/// @param only the tables that are meant, each with its schema or without; all if empty
/// @param excluded patterns of tables that are left out
/// @param many whether FROM names many tables, or TO is a template
/// @param definitions how much of a database comes along with them
/// @param grants whether owners and grants do, if all else does
public record TablesRequest(
    CopySpec each,
    List<TableTargets.Listed> only,
    List<String> excluded,
    boolean many,
    Definitions definitions,
    boolean grants) {

  /// How much of a database comes along with its tables.
  public enum Definitions {
    /// All that schemas hold if they are asked for whole, and the target's hold nothing; else what
    /// belongs to the tables.
    USUAL,
    ALL,
    TABLES,
    NONE
  }

  public TablesRequest {
    only = List.copyOf(only);
    excluded = List.copyOf(excluded);
  }

  Endpoint from() {
    return each.job().from();
  }

  Endpoint to() {
    return each.job().to();
  }

  /// How much of a database comes along.
  DefinitionSource.Extent extent() {
    return new DefinitionSource.Extent(
        scope(), definitions == Definitions.USUAL || definitions == Definitions.ALL);
  }

  private @Nullable Scope scope() {
    TablePattern requested = TablePattern.of(from());
    boolean isWhole = requested.name().equals("*") && only.isEmpty() && excluded.isEmpty();
    Scope.Reach reach =
        switch (definitions) {
          case USUAL -> isWhole ? Scope.Reach.ALL_IF_EMPTY : Scope.Reach.TABLES;
          case ALL -> Scope.Reach.ALL;
          case TABLES -> Scope.Reach.TABLES;
          case NONE -> null;
        };
    return reach == null ? null : new Scope(reach, requested, grants);
  }

  /// The copy of one of the tables.
  ///
  /// @throws Fault.User if bad records of many tables would go to one file
  CopySpec spec(TableTargets.Pair pair) {
    Job job = each.job().between(pair.from().end(), pair.to());
    String rejects = job.rejects().fileName();
    if (rejects == null) {
      return each.with(job);
    }
    if (NameTemplate.hasVariable(rejects)) {
      String expanded = NameTemplate.expanded(rejects, pair.from());
      Job.RejectPolicy all = job.rejects();
      return each.with(
          job.with(new Job.RejectPolicy(all.limit(), expanded, all.cutsNanoseconds())));
    }
    if (many) {
      throw new Fault.User(
          "--rejects " + rejects + " is one file for many tables.",
          "Write {table} in its name, such as bad-{table}.csv.");
    }
    return each.with(job);
  }
}
