package millrace.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableDefinitions;
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

  /// Those of tables that go from a system to the same.
  ///
  /// @param pairs all tables of the job
  /// @param names what the job calls them, in the same order
  public static DefinitionSteps of(
      TableDefinitions definitions,
      JobLedger ledger,
      List<TableTargets.Pair> pairs,
      List<String> names) {
    DefinitionSteps steps = new DefinitionSteps(definitions, ledger);
    List<TableDefinitions.Placed> placed =
        pairs.stream().map(pair -> new TableDefinitions.Placed(pair.from(), pair.to())).toList();
    TableDefinitions.Found found = definitions.definitions(placed, new OpenContext());
    for (int i = 0; i < pairs.size(); i++) {
      String name = names.get(i);
      steps.targets.put(name, pairs.get(i).to());
      steps.found.put(name, found.tables().get(i));
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
