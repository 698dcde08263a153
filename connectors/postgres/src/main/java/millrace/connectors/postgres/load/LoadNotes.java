package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.Constraints.Upkeep;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.spi.Stage;
import millrace.spi.write.RowCost;

/// What one planning has to tell: the details of how rows get there are gathered here, and what
/// makes them slow; the notes in each plan.
final class LoadNotes {

  private final QualifiedName table;
  private final LoadOptions options;
  private final List<String> details = new ArrayList<>();
  private final List<RowCost> rowCosts = new ArrayList<>();

  LoadNotes(QualifiedName table, LoadOptions options) {
    this.table = table;
    this.options = options;
  }

  /// How rows get there, one sentence each.
  List<String> details() {
    return details;
  }

  /// What makes each row dear for the server.
  List<RowCost> rowCosts() {
    return rowCosts;
  }

  /// For rows that go straight into a table that has those.
  void addUpkeep(Upkeep upkeep) {
    if (upkeep.indexes() > 0 && !options.deferIndexes()) {
      boolean isOne = upkeep.indexes() == 1;
      rowCosts.add(
          new RowCost(
              Stage.SERVER_WAIT,
              isOne
                  ? "The table's index is kept up row by row"
                  : "The table's " + upkeep.indexes() + " indexes are kept up row by row",
              "--defer-indexes makes " + (isOne ? "it" : "them") + " after the rows."));
    }
    if (!upkeep.foreignKeys().isEmpty() && !options.deferIndexes()) {
      rowCosts.add(
          new RowCost(
              Stage.SERVER_WAIT,
              "The table's foreign keys are checked row by row ("
                  + PostgresCatalog.list(upkeep.foreignKeys())
                  + ")",
              "--defer-indexes checks them after the rows."));
    }
    if (!upkeep.triggers().isEmpty()) {
      rowCosts.add(
          new RowCost(
              Stage.SERVER_WAIT,
              "The table's triggers run for each row ("
                  + PostgresCatalog.list(upkeep.triggers())
                  + ")",
              "disable those that the copy does not need (ALTER TABLE … DISABLE TRIGGER)."));
    }
  }

  void addDetail(String sentence) {
    details.add(sentence);
  }

  /// For tables that are made without a write-ahead log.
  void addUnlogged(List<String> notes) {
    if (options.unlogged()) {
      notes.add(LoadOptions.unloggedNote(table));
    }
  }

  /// For tables that take the place of the target.
  void addSwap(List<String> notes, boolean hasIndexes) {
    if (options.freeze()) {
      notes.add(LoadOptions.freezeNote());
    }
    if (options.deferIndexes()) {
      notes.add(
          hasIndexes
              ? "keys and indexes are made after the rows"
              : "--defer-indexes changes nothing: the new table has no key and no index");
    }
    addUnlogged(notes);
  }

  /// For tables that stay while rows come by way of a staging table.
  void addStaged(List<String> notes, DeferredIndexes deferred) {
    if (options.deferIndexes()) {
      notes.addAll(deferred.notes());
      if (!deferred.isEmpty()) {
        details.add(
            table.label()
                + " is locked during the last transaction, for readers as well, because indexes are"
                + " taken away in it");
      }
    }
    if (options.unlogged()) {
      notes.add(
          "--unlogged changes nothing: the staging table has no log anyway, and "
              + table.label()
              + " stays as it is");
    }
  }
}
