package millrace.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.mapping.Mapping;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done of tables' definitions beside their rows: each table is made before its own rows,
/// its keys and indexes follow them, and foreign keys follow the rows of all. What is still owed to
/// a table that was made stands in the job's ledger, so that a job that goes on makes up for it.
///
/// Each table by its own thread, the last step by the one that carries the job out.
public final class DefinitionSteps {

  private static final Logger LOG = LoggerFactory.getLogger(DefinitionSteps.class);

  private final @Nullable TableDefinitions definitions;
  private final JobLedger ledger;
  private final Map<String, Endpoint> targets = new HashMap<>();
  private final Map<String, CopiedDefinition> found = new HashMap<>();
  private final Map<String, JobLedger.Owed> owed = new ConcurrentHashMap<>();

  private @Nullable Shared shared;
  private List<String> leftOut = List.of();
  private List<String> advice = List.of();

  private DefinitionSteps(@Nullable TableDefinitions definitions, JobLedger ledger) {
    this.definitions = definitions;
    this.ledger = ledger;
  }

  /// None: tables become what their copies make of them.
  public static DefinitionSteps none(JobLedger ledger) {
    return new DefinitionSteps(null, ledger);
  }

  /// Those of tables that go to the same system: they come along with all that belongs to them,
  /// unless the user asks for other columns, types or keys, or they go into parts of a table that
  /// is there. A view has no definition that could come along.
  ///
  /// @param all the copies of the job
  static DefinitionSteps of(JobContext context, JobLedger ledger, List<TableCopy> all) {
    List<TableCopy> copies = new ArrayList<>();
    for (TableCopy copy : all) {
      TableCopy first = copies.isEmpty() ? copy : copies.getFirst();
      if (NamedTables.isListed(copy.entry())
          && isAsItIs(context, copy.spec().job())
          && isSame(first.from(), copy.from())
          && isSame(first.to(), copy.to())) {
        copies.add(copy);
      }
    }
    TableDefinitions definitions =
        copies.isEmpty()
            ? null
            : context.connectors().of(copies.getFirst().to()).capability(TableDefinitions.class);
    return definitions == null ? none(ledger) : of(definitions, ledger, copies);
  }

  /// Whether two ends are of one database.
  private static boolean isSame(Endpoint one, Endpoint other) {
    return one.scheme().equals(other.scheme()) && one.location().equals(other.location());
  }

  private static boolean isAsItIs(JobContext context, Job job) {
    return context.sameSystem(job.from(), job.to())
        && job.from().text("query").isEmpty()
        && !TableTargets.isPart(job.to())
        && job.selection().columns().isEmpty()
        && job.writeOptions().mode() != Mode.MERGE
        && job.writeOptions().types() == null
        && job.mapping().equals(Mapping.NONE);
  }

  private static DefinitionSteps of(
      TableDefinitions definitions, JobLedger ledger, List<TableCopy> copies) {
    DefinitionSteps steps = new DefinitionSteps(definitions, ledger);
    List<TableDefinitions.Placed> placed =
        copies.stream().map(copy -> new TableDefinitions.Placed(copy.entry(), copy.to())).toList();
    TableDefinitions.Found found = definitions.definitions(placed, new OpenContext());
    for (int i = 0; i < copies.size(); i++) {
      TableCopy copy = copies.get(i);
      steps.targets.put(copy.name(), copy.to());
      steps.found.put(copy.name(), found.tables().get(i));
    }
    if (found.tables().stream().anyMatch(each -> !each.make().isEmpty())) {
      steps.leftOut = found.leftOut();
      steps.advice = found.advice();
    }
    steps.owed.putAll(ledger.owed());
    return steps;
  }

  /// Statements go by what the copies of the job share from here on.
  void share(Shared withCopies) {
    shared = withCopies;
  }

  /// What does not come along with the tables that are made, and how it does; a line each, none if
  /// all comes along.
  public List<String> notCopied() {
    List<String> all = new ArrayList<>(leftOut);
    new TreeMap<>(found)
        .forEach((table, definition) ->
            definition.leftOut().forEach(what -> all.add(table + ": " + what)));
    if (all.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(List.of("Not copied: " + String.join("; ", all) + "."));
    lines.addAll(advice);
    return lines;
  }

  /// How a table is made, as lines of a plan; none if the job does not make it.
  public List<String> lines(String table) {
    CopiedDefinition definition = definition(table);
    if (definition.make().isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    addLine(lines, "ddl      ", definition.make());
    addLine(lines, "ddl      -- after its rows:\n", definition.afterRows());
    addLine(lines, "ddl      -- after the rows of all tables:\n", definition.afterAll());
    return lines;
  }

  private static void addLine(List<String> lines, String begin, List<String> statements) {
    if (!statements.isEmpty()) {
      lines.add(Plan.indented(begin + String.join(";\n", statements)));
    }
  }

  /// Whether the job makes a table, or the run that it goes on with has, so that its copy fills an
  /// empty one.
  boolean makes(String table) {
    return !definition(table).make().isEmpty() || (ledger.resumed() && owed.containsKey(table));
  }

  private CopiedDefinition definition(String table) {
    return found.getOrDefault(table, CopiedDefinition.NONE);
  }

  /// Makes a table if it is not there.
  ///
  /// @throws Fault if the server refuses it
  void beforeRows(String table) {
    CopiedDefinition definition = definition(table);
    if (!definition.make().isEmpty()) {
      JobLedger.Owed debt =
          new JobLedger.Owed(table, definition.afterRows(), definition.afterAll());
      owed.put(table, debt);
      ledger.add(debt);
      carryOut(table, definition.make(), false);
    }
  }

  /// Makes what follows a table's rows.
  ///
  /// @param again whether an earlier run of the job may have made some of it
  /// @throws Fault if the server refuses it
  void afterRows(String table, boolean again) {
    JobLedger.Owed debt = owed.get(table);
    if (debt != null) {
      carryOut(table, debt.afterRows(), again);
    }
  }

  /// Makes what follows the rows of all tables.
  ///
  /// @param complete tables whose rows are all in
  /// @return what could not be made, by the table's name
  Map<String, Fault> afterAll(List<String> complete) {
    Map<String, Fault> failed = new HashMap<>();
    List<JobLedger.Paid> paid = new ArrayList<>();
    for (String table : complete) {
      JobLedger.Owed debt = owed.get(table);
      if (debt == null) {
        continue;
      }
      try {
        carryOut(table, debt.afterAll(), true);
        paid.add(new JobLedger.Paid(table));
      } catch (Fault e) {
        failed.put(table, e);
      }
    }
    if (!paid.isEmpty()) {
      ledger.add(paid);
    }
    return failed;
  }

  /// Whether an earlier run of the job has made a table, and may have made more of it.
  boolean isMadeBefore(String table) {
    return definition(table).make().isEmpty() && owed.containsKey(table);
  }

  private void carryOut(String table, List<String> statements, boolean again) {
    Endpoint to = targets.get(table);
    if (definitions != null && to != null && !statements.isEmpty()) {
      try {
        definitions.carryOut(to, statements, again, new OpenContext(Duration.ZERO, shared));
      } catch (Fault.Transient e) {
        LOG.debug("{}: once more", table, e);
        definitions.carryOut(to, statements, true, new OpenContext(Duration.ZERO, shared));
      }
    }
  }
}
