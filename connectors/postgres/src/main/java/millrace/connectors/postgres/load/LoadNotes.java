package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.TableName;

/// What one planning has to tell: the details of how rows get there are gathered here, the notes in
/// each plan.
final class LoadNotes {

  private final TableName table;
  private final LoadOptions options;
  private final List<String> details = new ArrayList<>();

  LoadNotes(TableName table, LoadOptions options) {
    this.table = table;
    this.options = options;
  }

  /// How rows get there, one sentence each.
  List<String> details() {
    return details;
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
