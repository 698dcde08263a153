package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.spi.Mode;
import org.jspecify.annotations.Nullable;

/// Rows wait in a staging table with their split and row number; then those whose key exists are
/// updated and the others inserted, in one transaction. Of several rows with one key the last one
/// in source order wins.
///
/// @param key names of the target's columns that rows are told apart by
/// @param keyIsUnique whether a unique index of the target stands on exactly these columns, so that
///   the server itself can tell what exists
/// @param made the target, which is made first, or null where it exists
/// @param keyLater whether the key of a target that is made comes after the rows
/// @param deferred what is taken away from a target that exists first and made again last
record MergeLoad(
    List<Slot> slots,
    TableName target,
    TableName into,
    List<String> key,
    boolean keyIsUnique,
    List<String> placeColumns,
    @Nullable NewTable made,
    boolean keyLater,
    DeferredIndexes deferred,
    List<String> notes)
    implements LoadPlan {

  @Override
  public Mode mode() {
    return Mode.MERGE;
  }

  @Override
  public boolean staged() {
    return true;
  }

  @Override
  public String ddl() {
    return made == null ? "" : made.createWithKey(target);
  }

  @Override
  public void begin(Session session) {
    // A row without a key is equal to no other, so that nobody could say what a merge makes of it.
    Staging.create(session, into, target, slots, key, placeColumns);
  }

  @Override
  public void complete(Ending ending) {
    Session session = ending.session();
    ending.checkStaged().accept(into);
    session.execute("ANALYZE " + into.sql());
    session.transaction(() -> {
      if (made == null) {
        mergeIntoOld(ending);
      } else {
        fillNew(made, ending);
      }
      Staging.drop(session, into);
      ending.seal().run();
    });
  }

  private void fillNew(NewTable table, Ending ending) {
    Session session = ending.session();
    if (!keyLater) {
      session.execute(table.createWithKey(target));
      session.asUser(() -> session.execute(upsert()));
      return;
    }
    session.execute(table.create(target));
    session.execute(
        "INSERT INTO %s (%s) %s".formatted(target.sql(), Sql.names(names()), lastRows()));
    ending.makeIndexes(() -> session.execute(table.addKey(target)));
  }

  private void mergeIntoOld(Ending ending) {
    Session session = ending.session();
    deferred.drop(session);
    if (keyIsUnique) {
      session.asUser(() -> session.execute(upsert()));
    } else {
      // Nobody may insert a row of the same key between the two statements.
      session.execute("LOCK TABLE " + target.sql() + " IN SHARE ROW EXCLUSIVE MODE");
      session.asUser(() -> update().forEach(session::execute));
    }
    if (!deferred.isEmpty()) {
      ending.makeIndexes(() -> deferred.make(session));
    }
  }

  private List<String> names() {
    return slots.stream().filter(Slot::written).map(Slot::name).toList();
  }

  /// The columns that are updated. Identity columns that are GENERATED ALWAYS can't be.
  private List<String> others() {
    return slots.stream()
        .filter(slot -> slot.written() && !slot.always() && !key.contains(slot.name()))
        .map(Slot::name)
        .toList();
  }

  /// The last row of every key.
  private String lastRows() {
    String latest =
        placeColumns.stream()
            .map(column -> Sql.name(column) + " DESC")
            .collect(Collectors.joining(", "));
    return "SELECT DISTINCT ON (%s) %s FROM %s ORDER BY %s, %s"
        .formatted(Sql.names(key), Sql.names(names()), into.sql(), Sql.names(key), latest);
  }

  private String upsert() {
    String update =
        others().stream()
            .map(name -> Sql.name(name) + " = EXCLUDED." + Sql.name(name))
            .collect(Collectors.joining(", "));
    return "INSERT INTO %s (%s)%s %s ON CONFLICT (%s) DO %s"
        .formatted(
            target.sql(),
            Sql.names(names()),
            Slot.overriding(slots),
            lastRows(),
            Sql.names(key),
            update.isEmpty() ? "NOTHING" : "UPDATE SET " + update);
  }

  private List<String> update() {
    String same =
        key.stream()
            .map(name -> "t." + Sql.name(name) + " = s." + Sql.name(name))
            .collect(Collectors.joining(" AND "));
    List<String> statements = new ArrayList<>();
    String update = assignments(others());
    if (update != null) {
      statements.add(
          "UPDATE %s AS t SET %s FROM (%s) AS s WHERE %s"
              .formatted(target.sql(), update, lastRows(), same));
    }
    statements.add(
        "INSERT INTO %s (%s)%s SELECT %s FROM (%s) AS s WHERE NOT EXISTS (SELECT FROM %s AS t WHERE %s)"
            .formatted(
                target.sql(),
                Sql.names(names()),
                Slot.overriding(slots),
                Sql.names(names()),
                lastRows(),
                target.sql(),
                same));
    return statements;
  }

  private static @Nullable String assignments(List<String> columns) {
    return columns.isEmpty()
        ? null
        : columns.stream()
            .map(name -> Sql.name(name) + " = s." + Sql.name(name))
            .collect(Collectors.joining(", "));
  }
}
