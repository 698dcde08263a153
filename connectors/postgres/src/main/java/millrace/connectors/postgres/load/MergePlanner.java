package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.WriteRequest;

/// Works out how rows are merged, and what it means for those that are there.
final class MergePlanner {

  private final TargetTable target;
  private final QualifiedName table;
  private final QualifiedName staging;
  private final LoadNotes gathered;

  /// @param staging where rows wait
  MergePlanner(TargetTable target, QualifiedName staging, LoadNotes gathered) {
    this.target = target;
    table = target.table;
    this.staging = staging;
    this.gathered = gathered;
  }

  /// A merge into the table that is there.
  LoadPlan intoTable(Relation there, WriteRequest request) {
    refuseFrozenMerge();
    ColumnPairing columnPairing = new ColumnPairing(table.label(), target.columns);
    List<LoadColumn> slots = columnPairing.slots(request);
    List<String> key = request.key();
    checkNoJson(key, slots);
    List<String> notes = new ArrayList<>(request.notes());
    gathered.addDetail(
        "rows are staged in "
            + staging.label()
            + " and merged in one transaction by "
            + PostgresCatalog.list(key));
    boolean unique = target.catalog.constraints().isUnique(there, key);
    if (!unique) {
      notes.add("no unique index stands on that key, so rows of the table may share one");
      if (target.catalog.visibility().hasPolicies(there)) {
        notes.add(
            "row security: where policies of "
                + table.label()
                + " hide a row of that key from this user, another is inserted beside it; one that"
                + " they do not let it update stays as it is");
      }
    }
    if (target.catalog.constraints().hasMergeTriggers(there)) {
      notes.add(
          "triggers of the table run for every row that is inserted or gets other values, and may"
              + " change or drop it; one that they drop counts as unchanged");
    }
    if (!target.catalog.isReadable(there)) {
      notes.add(
          "this user may not read the whole table, so rows whose values stay the same are written"
              + " and counted as updated");
    }
    if (target.catalog.constraints().hasMergeRules(there)) {
      notes.add(
          "rules of the table apply to every row, and may change or drop it: none is counted as"
              + " inserted or updated");
    }
    for (LoadColumn loadColumn : slots) {
      if (loadColumn.always() && !key.contains(loadColumn.name())) {
        notes.add(
            "column %s is GENERATED ALWAYS: rows that exist keep their value of it"
                .formatted(loadColumn.name()));
      }
    }
    DeferredIndexes deferred = target.deferred(there, key);
    gathered.addStaged(notes, deferred);
    return new MergeLoad(
        request.landing(),
        slots,
        table,
        staging,
        unique,
        placeColumns(slots),
        null,
        false,
        deferred,
        notes);
  }

  private void refuseFrozenMerge() {
    if (target.options.freeze()) {
      throw LoadOptions.cantFreeze(
          table,
          "a merge inserts and updates rows from a staging table, and PostgreSQL freezes only those"
              + " that COPY brings",
          "Leave --freeze out, or use another --mode.");
    }
  }

  /// A merge into one that is made.
  LoadPlan intoNew(WriteRequest request) {
    refuseFrozenMerge();
    List<String> key = request.key();
    NewTable made = target.newTable(request, key);
    List<LoadColumn> slots = LoadPlanner.slots(made.rehearse(target.session, table));
    checkNoJson(key, slots);
    List<String> notes = new ArrayList<>(made.notes());
    gathered.addDetail(
        "rows are staged in " + staging.label() + ", and the last of each key goes in");
    if (target.options.deferIndexes()) {
      gathered.addDetail("the primary key is made after the rows");
    }
    gathered.addUnlogged(notes);
    return new MergeLoad(
        request.landing(),
        slots,
        table,
        staging,
        true,
        placeColumns(slots),
        made,
        target.options.deferIndexes(),
        DeferredIndexes.none(table),
        notes);
  }

  private static void checkNoJson(List<String> key, List<LoadColumn> slots) {
    for (LoadColumn loadColumn : slots) {
      if (key.contains(loadColumn.name()) && loadColumn.type().type() instanceof Type.Json) {
        throw new Fault.User(
            "Column " + loadColumn.name() + " is JSON, by which rows can't be told apart.",
            "Name other columns with --key.");
      }
    }
  }

  /// Names for the split and the row number that no column has.
  ///
  /// @throws Fault.User if the staging table has no room for them
  private List<String> placeColumns(List<LoadColumn> slots) {
    int written = slots.size();
    if (written + 2 > TargetTable.COLUMNS_MAX) {
      throw new Fault.User(
          "A merge into "
              + table.label()
              + " stages rows with two columns more than the "
              + written
              + " that come, and a table of PostgreSQL has "
              + TargetTable.COLUMNS_MAX
              + " at most.",
          "Leave columns out with --select, or use another --mode.");
    }
    String prefix = "millrace_";
    while (startsAny(slots, prefix)) {
      prefix += "_";
    }
    return List.of(prefix + "split", prefix + "row");
  }

  private static boolean startsAny(List<LoadColumn> slots, String prefix) {
    return slots.stream().anyMatch(loadColumn -> loadColumn.name().startsWith(prefix));
  }
}
