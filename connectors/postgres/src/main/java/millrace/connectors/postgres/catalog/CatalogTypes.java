package millrace.connectors.postgres.catalog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.codec.Money;
import millrace.connectors.postgres.net.Session;

/// Looks types up in the server's catalogue, with the types of what their values hold.
///
/// @param session whose server is asked
record CatalogTypes(Session session) {

  /// FirstNormalObjectId of src/include/access/transam.h.
  private static final long FIRST_OF_USERS = 16_384;

  /// A type by its number.
  ///
  /// @param modifier -1 if it has none
  /// @param dimensions of an array, as they were declared; the server does not hold values to them
  record TypeRef(long oid, int modifier, int dimensions) {

    /// The JVM would make a record's own at each start.
    @Override
    public String toString() {
      return oid + " " + modifier + " " + dimensions;
    }
  }

  /// What these types are, domains resolved. Names come with their schema unless that is
  /// `pg_catalog`, whatever the search path.
  List<PostgresType> of(List<TypeRef> refs) {
    if (refs.isEmpty()) {
      return List.of();
    }
    // The server's own types stay what they are.
    return refs.stream().allMatch(ref -> ref.oid < FIRST_OF_USERS)
        ? session.known("types " + refs, Types.class, () -> new Types(ask(refs))).all
        : ask(refs);
  }

  private record Types(List<PostgresType> all) {}

  private List<PostgresType> ask(List<TypeRef> refs) {
    List<Resolved> resolved = resolved(refs);
    List<PostgresType> parts = of(resolved.stream().flatMap(each -> each.parts.stream()).toList());
    List<PostgresType> types = new ArrayList<>();
    int taken = 0;
    for (Resolved each : resolved) {
      int end = taken + each.parts.size();
      types.add(each.type(parts.subList(taken, end)));
      taken = end;
    }
    return types;
  }

  /// A type, domains resolved, with the types of what its values hold, and their names in a row.
  private record Resolved(
      String declared,
      TypeRef ref,
      String kind,
      int element,
      String spelled,
      PostgresType.Shape shape,
      List<TypeRef> parts,
      List<String> names) {

    static Resolved of(ResultSet row) throws SQLException {
      Long[] oids = (Long[]) row.getArray(8).getArray();
      Integer[] modifiers = (Integer[]) row.getArray(9).getArray();
      String[] names = (String[]) row.getArray(10).getArray();
      Integer[] dimensions = (Integer[]) row.getArray(11).getArray();
      List<TypeRef> parts = new ArrayList<>();
      for (int i = 0; i < oids.length; i++) {
        parts.add(new TypeRef(oids[i], modifiers[i], dimensions[i]));
      }
      return new Resolved(
          row.getString(1),
          new TypeRef(row.getLong(2), row.getInt(3), row.getInt(12)),
          row.getString(4),
          (int) row.getLong(5),
          row.getString(6),
          PostgresType.Shape.valueOf(row.getString(7)),
          parts,
          List.of(names));
    }

    PostgresType type(List<PostgresType> types) {
      List<PostgresType.NestedType> of = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        of.add(new PostgresType.NestedType(names.get(i), types.get(i)));
      }
      return PostgresTypes.of(
              new PostgresTypes.Entry(
                  declared, (int) ref.oid, ref.modifier, kind, element, spelled, shape, of))
          .withDimensions(ref.dimensions);
    }
  }

  private List<Resolved> resolved(List<TypeRef> refs) {
    String oids = join(refs.stream().map(ref -> Long.toString(ref.oid)).toList());
    String modifiers = join(refs.stream().map(ref -> Integer.toString(ref.modifier)).toList());
    String dimensions = join(refs.stream().map(ref -> Integer.toString(ref.dimensions)).toList());
    // Versions before 14 have no multiranges, and no column that tells of them.
    return session.withQualifiedNames(() ->
        session.query(
            """
            WITH RECURSIVE walk(place, declared, oid, modifier, dimensions) AS (
              SELECT r.place, pg_catalog.format_type(r.oid, r.modifier), r.oid, r.modifier,
                r.dimensions
              FROM unnest('{%s}'::oid[], '{%s}'::int[], '{%s}'::int[])
                WITH ORDINALITY AS r(oid, modifier, dimensions, place)
              UNION ALL
              SELECT w.place, w.declared, t.typbasetype, t.typtypmod, t.typndims
              FROM walk w JOIN pg_catalog.pg_type t ON t.oid = w.oid AND t.typtype = 'd')
            SELECT w.declared, w.oid::bigint, w.modifier, t.typtype::text,
              CASE WHEN t.typcategory = 'A' THEN t.typelem::bigint ELSE 0 END,
              pg_catalog.format_type(w.oid, w.modifier)
                || CASE WHEN 'money'::regtype IN (t.oid, t.typelem) THEN %s ELSE '' END,
              CASE WHEN t.typinput = 'array_in'::regproc THEN 'LIST'
                WHEN t.typtype = 'c' THEN 'ROW'
                WHEN t.typtype = 'r' THEN 'RANGE'
                WHEN t.typtype = 'm' THEN 'RANGES'
                ELSE 'SINGLE' END,
              p.oids, p.modifiers, p.names, p.dimensions, w.dimensions
            FROM walk w JOIN pg_catalog.pg_type t ON t.oid = w.oid AND t.typtype <> 'd'
            CROSS JOIN LATERAL (
              SELECT coalesce(array_agg(of.oid::bigint ORDER BY of.number), '{}'),
                coalesce(array_agg(of.modifier ORDER BY of.number), '{}'),
                coalesce(array_agg(of.name::text ORDER BY of.number), '{}'),
                coalesce(array_agg(of.dimensions::int ORDER BY of.number), '{}')
              FROM (
                SELECT t.typelem, w.modifier, 0, '', 0 WHERE t.typinput = 'array_in'::regproc
                UNION ALL
                SELECT a.atttypid, a.atttypmod, a.attnum, a.attname, a.attndims
                FROM pg_catalog.pg_attribute a
                WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0
                  AND NOT a.attisdropped
                UNION ALL
                SELECT g.rngsubtype, -1, 0, '', 0 FROM pg_catalog.pg_range g
                WHERE g.rngtypid = t.oid
                UNION ALL
                SELECT g.rngtypid, -1, 0, '', 0 FROM pg_catalog.pg_range g
                WHERE t.typtype = 'm' AND (to_jsonb(g) ->> 'rngmultitypid')::oid = t.oid
              ) AS of(oid, modifier, number, name, dimensions)
            ) AS p(oids, modifiers, names, dimensions)
            ORDER BY w.place
            """
                .formatted(oids, modifiers, dimensions, Money.LOCALE),
            Resolved::of));
  }

  private static String join(List<String> numbers) {
    return String.join(",", numbers);
  }
}
