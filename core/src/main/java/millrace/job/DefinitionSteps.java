package millrace.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done of tables' definitions beside their rows: what tables need is made before all rows,
/// each table before its own rows; its keys and indexes follow them, foreign keys follow the rows
/// of all, and last comes what needs all of that, such as views and triggers. What is still owed to
/// a table that was made stands in the job's ledger, so that a job that goes on makes up for it.
/// Each table by its own thread, the first and last steps by the one that carries the job out.
public final class DefinitionSteps {

  private static final Logger LOG = LoggerFactory.getLogger(DefinitionSteps.class);

  private static final int NAMED_MAX = 10;

  private final DefinitionSource source;
  private final JobLedger ledger;
  private final List<TableCopy> copies;
  private final TableDefinitions.Found all;
  private final Map<String, TableCopy> byName = new HashMap<>();
  private final Map<String, CopiedDefinition> found = new HashMap<>();
  private final Map<String, JobLedger.Owed> owed = new ConcurrentHashMap<>();

  /// Tables that were tried before all rows; with why they are not there, if they are not.
  private final Map<String, Optional<Fault>> tried = new HashMap<>();

  private final List<FailedObject> failed = new ArrayList<>();
  private @Nullable Shared shared;

  DefinitionSteps(JobLedger ledger, DefinitionSource source) {
    this.source = source;
    this.ledger = ledger;
    copies = source.copies();
    all = source.found();
    for (int i = 0; i < copies.size(); i++) {
      byName.put(copies.get(i).name(), copies.get(i));
      found.put(copies.get(i).name(), all.tables().get(i));
    }
    owed.putAll(source.carrier() == null ? Map.of() : ledger.owed());
  }

  /// Something beside the tables that could not be made.
  ///
  /// @param kind what it is, in a word or two
  /// @param fault names the statement
  /// @param beforeRows whether it was to be made before all rows, so that tables may need it
  public record FailedObject(String kind, String name, Fault fault, boolean beforeRows) {}

  /// None: tables become what their copies make of them.
  public static DefinitionSteps none(JobLedger ledger) {
    return new DefinitionSteps(ledger, DefinitionSource.NONE);
  }

  /// Statements go by what the copies of the job share from here on.
  void share(Shared withCopies) {
    shared = withCopies;
  }

  /// What does not come along with the tables that are made.
  public List<LeftOut> leftOut() {
    List<LeftOut> left = new ArrayList<>(all.leftOut());
    new TreeMap<>(found)
        .forEach((table, definition) ->
            definition.leftOut().forEach(what -> left.add(what.ofTable(table))));
    return left;
  }

  /// How that comes along all the same, with its commands on lines of their own.
  public List<String> advice() {
    return leftOut().isEmpty() ? List.of() : all.advice();
  }

  /// What could not be made beside the tables.
  List<FailedObject> failed() {
    return List.copyOf(failed);
  }

  /// The same as lines of a plan.
  public DefinitionLines lines() {
    return new DefinitionLines(copies, all);
  }

  /// Whether the job makes a table, or the run that it goes on with has, so that its copy fills an
  /// empty one.
  boolean makes(String table) {
    JobLedger.Owed debt = owed.get(table);
    boolean wasMade = ledger.resumed() && debt != null && !debt.byCopy();
    return !definition(table).make().isEmpty() || wasMade;
  }

  private CopiedDefinition definition(String table) {
    return found.getOrDefault(table, CopiedDefinition.NONE);
  }

  /// Where a table stands among the steps before all rows; -1 if it is none of them.
  int place(String table) {
    List<String> names = copies.stream().map(TableCopy::name).toList();
    return all.before().indexOf(new TableDefinitions.Table(names.indexOf(table)));
  }

  /// Makes what comes before all rows.
  void beforeAll() {
    if (all.whole() && ledger.done(DefinitionSource.WHOLE) == null) {
      ledger.add(JobLedger.Done.now(DefinitionSource.WHOLE, 0, 0));
    }
    List<String> tables = new ArrayList<>();
    List<String> statements = new ArrayList<>();
    for (TableDefinitions.Step step : all.before()) {
      switch (step) {
        case TableDefinitions.Made made -> statements.addAll(made.statements());
        case TableDefinitions.Table(int table) -> {
          tables.add(copies.get(table).name());
          statements.addAll(all.tables().get(table).make());
        }
      }
    }
    if (!tables.isEmpty()) {
      owe(tables);
    }
    tables.forEach(table -> tried.put(table, Optional.empty()));
    make(statements, all.before(), true);
  }

  /// Carries steps out: all at once if the server takes it, else one by one, so that what can't be
  /// made stops nothing else.
  ///
  /// @param statements those of all steps
  private void make(
      List<String> statements, List<? extends TableDefinitions.Step> steps, boolean beforeRows) {
    if (steps.isEmpty()) {
      return;
    }
    Endpoint to = copies.getFirst().to();
    try {
      carryOut(to, statements, false);
    } catch (Fault.User | Fault.Data | Fault.External e) {
      LOG.debug("one by one, since one of several statements is refused", e);
      steps.forEach(step -> makeAlone(to, step, beforeRows));
    }
  }

  private void makeAlone(Endpoint to, TableDefinitions.Step step, boolean beforeRows) {
    switch (step) {
      case TableDefinitions.Made made -> makeAlone(to, made, beforeRows);
      case TableDefinitions.Table(int table) -> {
        Fault fault = null;
        try {
          carryOut(to, all.tables().get(table).make(), true);
        } catch (Fault e) {
          fault = e;
        }
        tried.put(copies.get(table).name(), Optional.ofNullable(fault));
      }
    }
  }

  private void makeAlone(Endpoint to, TableDefinitions.Made made, boolean beforeRows) {
    try {
      carryOut(to, made.statements(), true);
    } catch (Fault e) {
      failed.add(new FailedObject(made.kind(), made.name(), e, beforeRows));
    }
  }

  /// Writes down what tables lack until rows are in.
  private void owe(List<String> tables) {
    List<JobLedger.Owed> debts = new ArrayList<>();
    for (String table : tables) {
      JobLedger.Owed debt = JobLedger.Owed.of(table, definition(table));
      debts.add(debt);
      owed.put(table, debt);
    }
    ledger.addOwed(debts);
  }

  /// Makes a table if it is not there.
  ///
  /// @throws Fault if the server refuses it
  void beforeRows(String table) {
    Optional<Fault> before = tried.get(table);
    if (before != null) {
      if (before.isPresent()) {
        throw before.get();
      }
      return;
    }
    CopiedDefinition definition = definition(table);
    if (!definition.isEmpty()) {
      owe(List.of(table));
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

  /// What became of the last steps.
  ///
  /// @param failed why a reference could not be made, by the name of its table
  /// @param owed what waits for tables that are not complete, in words; by the name of its table
  record Ending(Map<String, Fault> failed, Map<String, String> owed) {}

  /// Makes what follows the rows of all tables: references between those that are complete, then
  /// all else.
  ///
  /// @param complete tables whose rows are all in
  /// @param others those of the job that are not
  Ending afterAll(Collection<String> complete, Collection<String> others) {
    Map<String, Fault> refused = new HashMap<>();
    Map<String, String> waiting = new TreeMap<>();
    List<JobLedger.Paid> paid = new ArrayList<>();
    for (String table : complete) {
      JobLedger.Owed debt = owed.get(table);
      if (debt == null) {
        continue;
      }
      List<CopiedDefinition.Reference> due = new ArrayList<>(debt.references());
      List<String> missing =
          due.stream()
              .map(CopiedDefinition.Reference::table)
              .filter(others::contains)
              .distinct()
              .toList();
      due.removeIf(each -> missing.contains(each.table()));
      List<Fault> faults = refer(table, due);
      if (!faults.isEmpty()) {
        refused.put(table, faults.getFirst());
        faults.stream()
            .skip(1)
            .forEach(
                fault -> failed.add(new FailedObject("foreign key", "of " + table, fault, false)));
      }
      if (!missing.isEmpty()) {
        waiting.put(table, "its foreign keys to " + String.join(", ", missing));
      } else if (faults.isEmpty()) {
        paid.add(new JobLedger.Paid(table));
      }
    }
    if (!paid.isEmpty()) {
      ledger.add(paid);
    }
    List<TableDefinitions.Made> last = new ArrayList<>(all.after());
    List<String> withheld = new ArrayList<>();
    if (!others.isEmpty()) {
      Set<String> incomplete = new HashSet<>(others);
      incomplete.add(TableDefinitions.Made.ALL_TABLES);
      copies.stream()
          .filter(copy -> others.contains(copy.name()))
          .forEach(copy -> incomplete.add(copy.entry().label()));
      last.removeIf(made ->
          incomplete.contains(made.table()) && withheld.add(made.kind() + " " + made.name()));
    }
    if (!withheld.isEmpty()) {
      int named = Math.min(NAMED_MAX, withheld.size());
      String more = withheld.size() > named ? " and %d more" : "";
      waiting.put(
          "The target",
          String.join(", ", withheld.subList(0, named))
              + more.formatted(withheld.size() - named)
              + ", until all rows are in");
    }
    make(TableDefinitions.Made.statements(last), last, false);
    return new Ending(refused, waiting);
  }

  /// Makes references of a table: all at once if the server takes it, else one by one, so that one
  /// that is refused stops no other.
  ///
  /// @return why some could not be made
  private List<Fault> refer(String table, List<CopiedDefinition.Reference> due) {
    List<String> statements = due.stream().map(CopiedDefinition.Reference::statement).toList();
    try {
      carryOut(table, statements, true);
      return List.of();
    } catch (Fault.User | Fault.Data | Fault.External e) {
      if (statements.size() == 1) {
        return List.of(e);
      }
      LOG.debug("one by one, since one of several references is refused", e);
    } catch (Fault e) {
      return List.of(e);
    }
    List<Fault> faults = new ArrayList<>();
    for (String statement : statements) {
      try {
        carryOut(table, List.of(statement), true);
      } catch (Fault e) {
        faults.add(e);
      }
    }
    return faults;
  }

  /// Whether an earlier run of the job has made a table, and may have made more of it.
  boolean isMadeBefore(String table) {
    return definition(table).make().isEmpty() && owed.containsKey(table);
  }

  private void carryOut(String table, List<String> statements, boolean again) {
    TableCopy copy = byName.get(table);
    if (copy != null) {
      carryOut(copy.to(), statements, again);
    }
  }

  private void carryOut(Endpoint to, List<String> statements, boolean again) {
    DefinitionSource.Carrier carrier = source.carrier();
    if (carrier != null && !statements.isEmpty()) {
      try {
        carrier.carryOut(to, statements, again, new OpenContext(Duration.ZERO, shared));
      } catch (Fault.Transient e) {
        LOG.debug("{}: once more", to, e);
        carrier.carryOut(to, statements, true, new OpenContext(Duration.ZERO, shared));
      }
    }
  }
}
