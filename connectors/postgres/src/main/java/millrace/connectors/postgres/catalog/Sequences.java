package millrace.connectors.postgres.catalog;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.Session;
import millrace.spi.PhaseTimer;
import org.jspecify.annotations.Nullable;

/// Sees to it that the sequences which give a table's columns their values stand behind the values
/// that were loaded, so that the next row that somebody inserts gets a value of its own.
///
/// Sequences are those of identity columns and those whose next value is the default of a column,
/// as of a serial one. They are only ever moved on, never back.
public final class Sequences {

  /// So many values are drawn one by one: whoever draws values at the same time only moves the
  /// sequence further on. Over more, it is set; nobody draws as many within one statement.
  private static final int DRAWN_MAX = 1_000;

  private final Session session;
  private final LoadPlan plan;
  private final List<String> notes = new ArrayList<>();

  /// A sequence and the column that it is for.
  ///
  /// @param readable whether this user may see its position, and the column's values
  /// @param changeable whether this user may move it
  private record Sequence(
      QualifiedName name,
      String column,
      long increment,
      long min,
      long max,
      boolean readable,
      boolean changeable) {

    boolean ascends() {
      return increment > 0;
    }
  }

  private record Position(long last, boolean called) {}

  public Sequences(Session session, LoadPlan plan) {
    this.session = session;
    this.plan = plan;
  }

  /// The sequences of the columns that were written. A partition has the identity of the table that
  /// it is a part of.
  private List<Sequence> find() {
    String columns =
        plan.slots().stream()
            .map(loadColumn -> PostgresSql.text(loadColumn.name()))
            .collect(Collectors.joining(", "));
    return session.query(
        """
        WITH RECURSIVE target(oid) AS (SELECT pg_catalog.to_regclass(?)::oid),
        up(oid) AS (
          SELECT oid FROM target
          UNION
          SELECT i.inhparent FROM up JOIN pg_catalog.pg_inherits i ON i.inhrelid = up.oid
          JOIN pg_catalog.pg_class c ON c.oid = up.oid AND c.relispartition),
        filled AS (
          SELECT a.attname, d.objid AS sequence
          FROM up JOIN pg_catalog.pg_attribute a ON a.attrelid = up.oid AND a.attidentity <> ''
          JOIN pg_catalog.pg_depend d ON d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
            AND d.deptype = 'i' AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
          UNION
          SELECT a.attname, d.refobjid
          FROM target JOIN pg_catalog.pg_attribute a ON a.attrelid = target.oid
            AND a.atttypid::bigint IN (20, 21, 23)
          JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
            AND pg_catalog.pg_get_expr(f.adbin, f.adrelid) ~ '^nextval\\(.*::regclass\\)$'
          JOIN pg_catalog.pg_depend d ON d.objid = f.oid
            AND d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
            AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass)
        SELECT n.nspname, c.relname, filled.attname, s.seqincrement, s.seqmin, s.seqmax,
          pg_catalog.has_sequence_privilege(c.oid, 'SELECT')
            AND pg_catalog.has_column_privilege(target.oid, filled.attname::text, 'SELECT')
            AND NOT pg_catalog.row_security_active(target.oid),
          pg_catalog.has_sequence_privilege(c.oid, 'UPDATE')
        FROM target CROSS JOIN filled
        JOIN pg_catalog.pg_class c ON c.oid = filled.sequence AND c.relkind = 'S'
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_sequence s ON s.seqrelid = c.oid
        WHERE filled.attname::text IN (
        """
            + columns
            + ") ORDER BY 1, 2, 3",
        row ->
            new Sequence(
                new QualifiedName(row.getString(1), row.getString(2), true),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getBoolean(7),
                row.getBoolean(8)),
        plan.target().sql());
  }

  /// Whether a column has values of its own that nobody sends, as far as that is seen at a glance.
  private boolean mayHaveAny() {
    return session.one(
        """
        SELECT EXISTS (
          SELECT FROM pg_catalog.pg_class c
          JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
          WHERE c.oid = pg_catalog.to_regclass(?)
            AND (c.relispartition OR a.atthasdef OR a.attidentity <> ''))
        """,
        row -> row.getBoolean(1),
        plan.target().sql());
  }

  /// Moves them on, in the transaction that makes the rows appear.
  ///
  /// @param steps times it if there are any
  /// @return what the user should know of it, one sentence each
  public List<String> moveOn(PhaseTimer steps) {
    List<Sequence> found = mayHaveAny() ? find() : List.of();
    if (!found.isEmpty()) {
      steps.time("set sequences", 1, () -> found.forEach(this::moveOn));
    }
    return notes;
  }

  private void moveOn(Sequence sequence) {
    if (!sequence.readable) {
      notes.add(unchanged(sequence, "may stand at values that the table has by now"));
      return;
    }
    BigInteger next = next(sequence);
    BigInteger last = lastNeeded(sequence, next);
    if (last == null) {
      return;
    }
    if (!sequence.changeable) {
      notes.add(unchanged(sequence, "stands at values that the table has by now"));
      return;
    }
    BigInteger steps =
        last.subtract(next).divide(BigInteger.valueOf(sequence.increment)).add(BigInteger.ONE);
    String name = PostgresSql.text(sequence.name.sql());
    session.execute(
        steps.compareTo(BigInteger.valueOf(DRAWN_MAX)) <= 0
            ? "SELECT pg_catalog.nextval(" + name + ") FROM generate_series(1, " + steps + ")"
            : "SELECT pg_catalog.setval(" + name + ", " + last + ")");
    notes.add(
        "sequence %s was moved on to %s, behind the values of column %s"
            .formatted(sequence.name.label(), last, sequence.column));
  }

  /// The value that it would give out next.
  private BigInteger next(Sequence sequence) {
    Position position =
        session.one(
            "SELECT last_value, is_called FROM " + sequence.name.sql(),
            row -> new Position(row.getLong(1), row.getBoolean(2)));
    return BigInteger.valueOf(position.last)
        .add(BigInteger.valueOf(position.called ? sequence.increment : 0));
  }

  /// The last of its values that must have been given out, or null if that is so already.
  private @Nullable BigInteger lastNeeded(Sequence sequence, BigInteger next) {
    String farthest =
        session
            .query(farthest(sequence) + " AS v", row -> String.valueOf(row.getString(1)))
            .getFirst();
    if (farthest.equals("null")) {
      return null;
    }
    BigInteger value =
        new BigInteger(farthest)
            .min(BigInteger.valueOf(sequence.max))
            .max(BigInteger.valueOf(sequence.min));
    BigInteger ahead = value.subtract(next);
    if (ahead.signum() != 0 && ahead.signum() != Long.signum(sequence.increment)) {
      return null;
    }
    BigInteger increment = BigInteger.valueOf(sequence.increment);
    return next.add(ahead.divide(increment).multiply(increment));
  }

  private String farthest(Sequence sequence) {
    return "SELECT %s(%s) FROM %s"
        .formatted(
            sequence.ascends() ? "max" : "min",
            PostgresSql.name(sequence.column),
            plan.target().sql());
  }

  private String unchanged(Sequence sequence, String state) {
    return "sequence %s of column %s %s, and this user may not %s it: its owner moves it on with\n  SELECT setval(%s, %s((%s), last_value)) FROM %s;"
        .formatted(
            sequence.name.label(),
            sequence.column,
            state,
            sequence.readable ? "change" : "look at both or change",
            PostgresSql.text(sequence.name.sql()),
            sequence.ascends() ? "greatest" : "least",
            farthest(sequence),
            sequence.name.sql());
  }
}
