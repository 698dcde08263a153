package millrace.job;

import java.util.ArrayList;
import java.util.List;
import millrace.plan.Job;
import millrace.plan.mapping.Mapping;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableStructures;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// What comes along with the tables of a job, and who makes it.
///
/// @param copies of the tables that are meant
/// @param found what comes along with them, one for each
/// @param carrier carries its statements out; null if nothing comes along
record DefinitionSource(List<TableCopy> copies, Found found, @Nullable Carrier carrier) {

  /// What a job that makes all that schemas hold writes down under this name, so that one that goes
  /// on does so too.
  static final String WHOLE = "definitions: all";

  /// None: tables become what their copies make of them.
  static final DefinitionSource NONE =
      new DefinitionSource(List.of(), Found.ofTables(List.of(), List.of(), List.of()), null);

  /// Carries statements out, see {@link TableDefinitions#carryOut}.
  @FunctionalInterface
  interface Carrier {

    void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context);
  }

  /// How much of a database comes along.
  ///
  /// @param alike to the same system; null if nothing does
  /// @param unlike whether what other systems have words for comes along to them
  record Extent(@Nullable Scope alike, boolean unlike) {}

  /// What comes along unless the user asks for other columns, types or keys, or the tables go into
  /// parts of one that is there. A view has no definition that could come along.
  ///
  /// @param all the copies of the job
  static DefinitionSource of(
      JobContext context, JobLedger ledger, List<TableCopy> all, Extent extent) {
    List<TableCopy> copies = new ArrayList<>();
    for (TableCopy copy : all) {
      TableCopy first = copies.isEmpty() ? copy : copies.getFirst();
      if (NamedTables.isListed(copy.entry())
          && isAsItIs(copy.spec().job())
          && isSame(first.from(), copy.from())
          && isSame(first.to(), copy.to())) {
        copies.add(copy);
      }
    }
    if (copies.isEmpty()) {
      return NONE;
    }
    Connector from = context.connectors().of(copies.getFirst().from());
    Connector to = context.connectors().of(copies.getFirst().to());
    TableDefinitions definitions = to.capability(TableDefinitions.class);
    if (from.equals(to) && definitions != null) {
      return extent.alike == null ? NONE : alike(definitions, ledger, copies, extent.alike);
    }
    // What a column is read as, its default may not be.
    boolean isRead = copies.stream().anyMatch(copy -> copy.from().text("columns").isPresent());
    return extent.unlike && !isRead ? unlike(from, to, copies) : NONE;
  }

  /// Whether two ends are of one database.
  private static boolean isSame(Endpoint one, Endpoint other) {
    return one.scheme().equals(other.scheme()) && one.location().equals(other.location());
  }

  private static boolean isAsItIs(Job job) {
    return job.from().text("query").isEmpty()
        && !TableTargets.isPart(job.to())
        && job.selection().columns().isEmpty()
        && job.writeOptions().mode() != Mode.MERGE
        && job.writeOptions().types() == null
        && job.mapping().equals(Mapping.NONE);
  }

  private static List<Placed> placed(List<TableCopy> copies) {
    return copies.stream().map(copy -> new Placed(copy.entry(), copy.to())).toList();
  }

  private static DefinitionSource alike(
      TableDefinitions definitions, JobLedger ledger, List<TableCopy> copies, Scope requested) {
    boolean wasWhole = ledger.resumed() && ledger.done(WHOLE) != null;
    Scope scope = wasWhole ? requested.goingOn() : requested;
    return new DefinitionSource(
        copies,
        definitions.definitions(placed(copies), scope, new OpenContext()),
        definitions::carryOut);
  }

  private static DefinitionSource unlike(Connector from, Connector to, List<TableCopy> copies) {
    TableStructures source = from.capability(TableStructures.class);
    TableStructures target = to.capability(TableStructures.class);
    Carrier carrier = carrier(to);
    return source == null || target == null || carrier == null
        ? NONE
        : new DefinitionSource(
            copies,
            TableStructures.between(source, target, placed(copies), new OpenContext()),
            carrier);
  }

  private static @Nullable Carrier carrier(Connector to) {
    TableDefinitions definitions = to.capability(TableDefinitions.class);
    if (definitions != null) {
      return definitions::carryOut;
    }
    StatementRunner runner = to.capability(StatementRunner.class);
    return runner == null
        ? null
        : (end, statements, _, context) -> runner.run(end, statements, context);
  }
}
