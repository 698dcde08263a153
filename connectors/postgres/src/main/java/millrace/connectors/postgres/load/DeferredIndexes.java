package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Indexes, keys and foreign keys of a table that stays, which are taken away before rows go in and
/// made again by their own definitions, all in one transaction: if that fails, they have never been
/// away.
///
/// Only those are taken away whose definition says all that the server knows of them.
///
/// @param items those taken away, in the order in which they are made again
/// @param notDeferred a sentence for each that is not
record DeferredIndexes(QualifiedName table, List<Item> items, List<String> notDeferred) {

  /// @param what it is, in words, with its name
  /// @param drop takes it away
  /// @param create makes it again
  /// @param tablespace that its index lies in; empty for the database's own
  /// @param parent the table that a foreign key refers to, or null
  record Item(
      String what, String drop, String create, String tablespace, @Nullable String parent) {}

  static DeferredIndexes none(QualifiedName table) {
    return new DeferredIndexes(table, List.of(), List.of());
  }

  /// What can be deferred of that table.
  ///
  /// @param needed names of the columns by which the load itself looks rows up
  /// @throws Fault.User if the table or its owner does not allow it
  static DeferredIndexes of(Session session, Relation relation, List<String> needed) {
    checkAllowed(session, relation);
    List<Item> items = new ArrayList<>();
    List<String> notDeferred = new ArrayList<>();
    session
        .withQualifiedNames(() ->
            Stream.concat(
                    indexes(session, relation, needed).stream(),
                    foreignKeys(session, relation).stream())
                .toList())
        .forEach(found -> {
          if (found.why.isEmpty()) {
            items.add(found.item);
          } else {
            notDeferred.add(found.item.what + " is kept up row by row, because " + found.why);
          }
        });
    return new DeferredIndexes(relation.name(), items, notDeferred);
  }

  private static void checkAllowed(Session session, Relation relation) {
    QualifiedName table = relation.name();
    if (relation.kind().equals("p") || relation.hasChildren()) {
      throw new Fault.User(
          "--defer-indexes can't be used for "
              + table.label()
              + ": it is a "
              + (relation.kind().equals("p")
                  ? "partitioned table"
                  : "table that others inherit from")
              + ", whose indexes and keys are not its own alone.",
          "Leave --defer-indexes out, or load the tables below it by name.");
    }
    boolean owns =
        session.one(
            "SELECT pg_catalog.pg_has_role(relowner, 'USAGE') FROM pg_catalog.pg_class WHERE oid ="
                + " ?::bigint::oid",
            row -> row.getBoolean(1),
            relation.oid());
    if (!owns) {
      throw new Fault.User(
          "--defer-indexes can't be used for "
              + table.label()
              + ": only its owner may take its indexes away and make them again.",
          "Leave --defer-indexes out, or connect as the owner.");
    }
  }

  /// @param why it stays; empty if it does not
  private record IndexCandidate(Item item, String why) {}

  private static List<IndexCandidate> indexes(
      Session session, Relation relation, List<String> needed) {
    String table = relation.name().sql();
    return session.query(
        """
        SELECT c.relname, k.contype::text, pg_get_indexdef(i.indexrelid),
          pg_get_constraintdef(k.oid), coalesce(s.spcname, ''),
          CASE
            WHEN NOT i.indisvalid THEN 'it is not valid'
            WHEN i.indisreplident THEN 'it is the replica identity'
            WHEN i.indisclustered THEN 'the table is clustered by it'
            WHEN obj_description(i.indexrelid, 'pg_class') IS NOT NULL
              OR obj_description(k.oid, 'pg_constraint') IS NOT NULL THEN 'it has a comment'
            WHEN k.oid IS NOT NULL AND c.reloptions IS NOT NULL THEN 'it has storage options'
            WHEN EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = i.indexrelid)
              THEN 'it belongs to an index of a partitioned table'
            WHEN EXISTS (
              SELECT FROM pg_attribute a
              WHERE a.attrelid = i.indexrelid AND coalesce(a.attstattarget, -1) >= 0)
              THEN 'it has a statistics target'
            WHEN EXISTS (
              SELECT FROM pg_depend d
              WHERE d.deptype <> 'i' AND (
                (d.refclassid = 'pg_class'::regclass AND d.refobjid = i.indexrelid)
                OR (d.refclassid = 'pg_constraint'::regclass AND d.refobjid = k.oid)))
              THEN 'something else depends on it'
            WHEN EXISTS (
              SELECT FROM pg_depend d
              WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
                AND d.refclassid = 'pg_extension'::regclass)
              THEN 'it belongs to an extension'
            ELSE '' END,
          ARRAY(
            SELECT a.attname::text
            FROM unnest(i.indkey) WITH ORDINALITY AS n(number, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = n.number
            WHERE n.place <= i.indnkeyatts)
        FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace
        LEFT JOIN pg_constraint k
          ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
            AND k.contype IN ('p', 'u', 'x')
        WHERE i.indrelid = ?::bigint::oid
        ORDER BY i.indisprimary DESC, k.oid IS NULL, c.relname
        """,
        row -> {
          String name = row.getString(1);
          String constraint = row.getString(4);
          List<String> columns = List.of((String[]) row.getArray(7).getArray());
          boolean isNeeded =
              !needed.isEmpty() && new HashSet<>(columns).equals(new HashSet<>(needed));
          String why = isNeeded ? "the merge looks rows up by it" : row.getString(6);
          Item item =
              constraint == null
                  ? new Item(
                      "index " + name,
                      "DROP INDEX " + new QualifiedName(relation.name().schema(), name, true).sql(),
                      row.getString(3),
                      row.getString(5),
                      null)
                  : new Item(
                      kind(row.getString(2)) + " " + name,
                      "ALTER TABLE " + table + " DROP CONSTRAINT " + PostgresSql.name(name),
                      "ALTER TABLE "
                          + table
                          + " ADD CONSTRAINT "
                          + PostgresSql.name(name)
                          + " "
                          + constraint,
                      row.getString(5),
                      null);
          return new IndexCandidate(item, why);
        },
        relation.oid());
  }

  private static String kind(String contype) {
    return switch (contype) {
      case "p" -> "primary key";
      case "u" -> "unique key";
      default -> "exclusion constraint";
    };
  }

  /// Those that a load checks row by row. One that was never validated must stay: made again as
  /// such it would take the new rows unseen.
  private static List<IndexCandidate> foreignKeys(Session session, Relation relation) {
    String table = relation.name().sql();
    return session.query(
        """
        SELECT k.conname, pg_get_constraintdef(k.oid), k.confrelid::regclass::text,
          CASE
            WHEN NOT k.convalidated THEN 'it is not validated'
            WHEN k.coninhcount > 0 THEN 'it belongs to a partitioned table'
            WHEN obj_description(k.oid, 'pg_constraint') IS NOT NULL THEN 'it has a comment'
            WHEN EXISTS (
              SELECT FROM pg_trigger t WHERE t.tgconstraint = k.oid AND t.tgenabled <> 'O')
              THEN 'its triggers are not enabled as usual'
            ELSE '' END
        FROM pg_constraint k
        WHERE k.conrelid = ?::bigint::oid AND k.contype = 'f' AND k.conparentid = 0
        ORDER BY k.conname
        """,
        row -> {
          String name = PostgresSql.name(row.getString(1));
          return new IndexCandidate(
              new Item(
                  "foreign key " + row.getString(1),
                  "ALTER TABLE " + table + " DROP CONSTRAINT " + name,
                  "ALTER TABLE " + table + " ADD CONSTRAINT " + name + " " + row.getString(2),
                  "",
                  row.getString(3)),
              row.getString(4));
        },
        relation.oid());
  }

  boolean isEmpty() {
    return items.isEmpty();
  }

  /// What the user should know.
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (isEmpty()) {
      notes.add(
          "--defer-indexes changes nothing: "
              + table.label()
              + " has no index or key that could be made later");
    } else {
      notes.add(
          "made after the rows, by the same definitions: "
              + items.stream().map(Item::what).collect(Collectors.joining(", ")));
      TreeSet<String> locked = new TreeSet<>();
      items.stream().map(Item::parent).filter(parent -> parent != null).forEach(locked::add);
      locked.remove(table.sql());
      locked.remove(table.label());
      if (!locked.isEmpty()) {
        notes.add(
            "the foreign keys lock "
                + String.join(", ", locked)
                + " too, for readers as well, from when they are taken away to the end");
      }
    }
    notes.addAll(notDeferred);
    return notes;
  }

  /// Takes them away; in the transaction that makes them again.
  void drop(Session session) {
    items.reversed().forEach(item -> session.execute(item.drop));
  }

  /// Makes them again.
  ///
  /// @throws Fault.Data if a row does not fit one
  void make(Session session) {
    // What is still to be checked at the end of the transaction is in the way of a new index.
    session.execute("SET CONSTRAINTS ALL IMMEDIATE");
    for (Item item : items) {
      session.execute("SET LOCAL default_tablespace = " + PostgresSql.text(item.tablespace));
      session.execute(item.create);
    }
  }
}
