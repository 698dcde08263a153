package millrace.connectors.postgres.load;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// Rows wait in a staging table with their split and row number; then those whose key exists are
/// updated and the others inserted, in one transaction. Of several rows with one key the last one
/// in source order wins.
///
/// @param keyIsUnique whether a unique index of the target stands on exactly these columns, so that
///   the server itself can tell what exists
/// @param made the target, which is made first, or null if it exists
/// @param keyLater whether the key of a target that is made comes after the rows
/// @param deferred what is taken away from a target that exists first and made again last
record MergeLoad(
    Landing landing,
    List<LoadColumn> slots,
    QualifiedName target,
    QualifiedName into,
    boolean keyIsUnique,
    List<String> placeColumns,
    @Nullable NewTable made,
    boolean keyLater,
    DeferredIndexes deferred,
    List<String> notes)
    implements LoadPlan {

  /// Names of the target's columns that rows are told apart by.
  List<String> key() {
    return landing.key();
  }

  @Override
  public String ddl() {
    return made == null ? "" : made.createWithKey(target);
  }

  @Override
  public void make(Session session) {
    // A row without a key is equal to no other, so that nobody could say what a merge makes of it.
    StagingTable.create(session, into, target, slots, key(), placeColumns);
  }

  @Override
  public @Nullable MergeCounts add(Ending ending) {
    Session session = ending.session();
    ending.checkStaged().run();
    session.execute("ANALYZE " + into.sql());
    MergeCounts merged = made == null ? mergeIntoOld(ending) : fillNew(made, ending);
    StagingTable.drop(session, into);
    return merged;
  }

  private MergeCounts fillNew(NewTable table, Ending ending) {
    Session session = ending.session();
    long inserted;
    if (keyLater) {
      session.execute(table.create(target));
      inserted = session.change(insert() + lastRows());
      ending.makeIndexes(() -> session.execute(table.addKey(target)));
    } else {
      session.execute(table.createWithKey(target));
      session.useUserSettings();
      inserted = session.change(insert() + lastRows());
      session.useInternalSettings();
    }
    return new MergeCounts(inserted, 0, 0, ending.rows() - inserted);
  }

  private @Nullable MergeCounts mergeIntoOld(Ending ending) {
    Session session = ending.session();
    PostgresCatalog catalog = new PostgresCatalog(session);
    Relation there = catalog.find(target);
    // The server rewrites such statements, and does not count what rules make of them.
    boolean counts = there != null && !catalog.constraints().hasMergeRules(there);
    boolean compares = there != null && catalog.isReadable(there);
    deferred.drop(session);
    if (!keyIsUnique) {
      // Nobody may insert a row of the same key between the statements.
      session.execute("LOCK TABLE " + target.sql() + " IN SHARE ROW EXCLUSIVE MODE");
    }
    session.useUserSettings();
    long deleted = landing.steps().deletes() ? session.change(deleteGone()) : 0;
    MergeCounts merged = null;
    if (!landing.steps().inserts()) {
      merged = new MergeCounts(0, 0, 0, 0);
    } else if (counts) {
      merged =
          keyIsUnique
              ? upsert(session, compares, ending.rows())
              : updateAndInsert(session, compares, ending.rows());
    } else if (keyIsUnique) {
      session.execute(upsert(compares));
    } else {
      update(false).ifPresent(session::execute);
      session.execute(insertMissing());
    }
    session.useInternalSettings();
    if (!deferred.isEmpty()) {
      ending.makeIndexes(() -> deferred.make(session));
    }
    return merged == null ? null : merged.deleting(deleted);
  }

  /// In one statement, so that what is counted is what the statement saw.
  private MergeCounts upsert(Session session, boolean compares, long rows) {
    String sql =
        """
        WITH done AS (%s RETURNING 1),
        seen AS (
          SELECT count(*) AS keys, count(t.%s) AS old
          FROM (SELECT DISTINCT %s FROM %s) AS s LEFT JOIN %s AS t ON %s)
        SELECT keys, old, (SELECT count(*) FROM done) FROM seen
        """
            .formatted(
                upsert(compares),
                PostgresSql.name(key().getFirst()),
                PostgresSql.names(key()),
                into.sql(),
                target.sql(),
                sameKey());
    return session.one(
        sql,
        row -> {
          long keys = row.getLong(1);
          long done = row.getLong(3);
          // Others may have changed the table meanwhile, and triggers may have dropped rows.
          long inserted = Math.min(keys - row.getLong(2), done);
          return new MergeCounts(inserted, done - inserted, keys - done, rows - keys);
        });
  }

  private MergeCounts updateAndInsert(Session session, boolean compares, long rows) {
    String names = key().stream().map(name -> "t." + PostgresSql.name(name)).collect(joining(", "));
    long updated =
        update(compares)
            .map(sql ->
                session.one(
                    "WITH done AS (%s RETURNING %s) SELECT count(DISTINCT done) FROM done"
                        .formatted(sql, names),
                    row -> row.getLong(1)))
            .orElse(0L);
    long inserted = session.change(insertMissing());
    long keys =
        session.one(
            "SELECT count(*) FROM (SELECT DISTINCT %s FROM %s) AS s"
                .formatted(PostgresSql.names(key()), into.sql()),
            row -> row.getLong(1));
    return new MergeCounts(inserted, updated, keys - inserted - updated, rows - keys);
  }

  private List<String> names() {
    return slots.stream().map(LoadColumn::name).toList();
  }

  /// What has no key is equal to nothing that could come, so it stays.
  private String deleteGone() {
    return "DELETE FROM %s AS t WHERE ROW(%s) IS NOT NULL AND NOT EXISTS (SELECT FROM %s AS s WHERE %s)"
        .formatted(
            target.sql(),
            key().stream().map(name -> "t." + PostgresSql.name(name)).collect(joining(", ")),
            into.sql(),
            sameKey());
  }

  /// The columns that are updated. Identity columns that are GENERATED ALWAYS can't be.
  private List<String> others() {
    return !landing.steps().updates()
        ? List.of()
        : slots.stream()
            .filter(loadColumn -> !loadColumn.always() && !key().contains(loadColumn.name()))
            .map(LoadColumn::name)
            .toList();
  }

  /// The last row of every key.
  private String lastRows() {
    String latest =
        placeColumns.stream()
            .map(column -> PostgresSql.name(column) + " DESC")
            .collect(joining(", "));
    return "SELECT DISTINCT ON (%s) %s FROM %s ORDER BY %s, %s"
        .formatted(
            PostgresSql.names(key()),
            PostgresSql.names(names()),
            into.sql(),
            PostgresSql.names(key()),
            latest);
  }

  private String insert() {
    return "INSERT INTO %s AS t (%s)%s "
        .formatted(target.sql(), PostgresSql.names(names()), LoadColumn.overriding(slots));
  }

  private String upsert(boolean compares) {
    String update =
        others().stream()
            .map(name -> PostgresSql.name(name) + " = EXCLUDED." + PostgresSql.name(name))
            .collect(joining(", "));
    return "%s%s ON CONFLICT (%s) DO %s"
        .formatted(
            insert(),
            lastRows(),
            PostgresSql.names(key()),
            update.isEmpty()
                ? "NOTHING"
                : "UPDATE SET " + update + (compares ? " WHERE " + differs("EXCLUDED") : ""));
  }

  /// Whether a row's values are not just those that it has, bit by bit: what only counts as equal,
  /// such as 1.0 and 1.00, is another value, and types need no operators for it.
  private String differs(String fresh) {
    return "ROW(%s)::record OPERATOR(pg_catalog.*<>) ROW(%s)::record".formatted(of("t"), of(fresh));
  }

  private String of(String row) {
    return others().stream().map(name -> row + "." + PostgresSql.name(name)).collect(joining(", "));
  }

  private String sameKey() {
    return key().stream()
        .map(name -> "t." + PostgresSql.name(name) + " = s." + PostgresSql.name(name))
        .collect(joining(" AND "));
  }

  /// Empty if there is nothing to update but the key.
  private Optional<String> update(boolean compares) {
    List<String> columns = others();
    String assignments =
        columns.stream()
            .map(name -> PostgresSql.name(name) + " = s." + PostgresSql.name(name))
            .collect(joining(", "));
    return columns.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "UPDATE %s AS t SET %s FROM (%s) AS s WHERE %s%s"
                .formatted(
                    target.sql(),
                    assignments,
                    lastRows(),
                    sameKey(),
                    compares ? " AND " + differs("s") : ""));
  }

  private String insertMissing() {
    return "INSERT INTO %s (%s)%s SELECT %s FROM (%s) AS s WHERE NOT EXISTS (SELECT FROM %s AS t WHERE %s)"
        .formatted(
            target.sql(),
            PostgresSql.names(names()),
            LoadColumn.overriding(slots),
            PostgresSql.names(names()),
            lastRows(),
            target.sql(),
            sameKey());
  }
}
