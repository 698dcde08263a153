package millrace.testkit.oracle.catalog;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// All tables, views, sequences and users. Any thread may ask it.
public final class OraCatalog {

  private static final long FIRST_OBJECT = 70_001;

  private final AtomicLong objectIds = new AtomicLong(FIRST_OBJECT);
  private final Map<String, OraTable> tables = new ConcurrentSkipListMap<>();
  private final Map<String, OraSequence> sequences = new ConcurrentSkipListMap<>();
  private final Map<String, OraCode> codes = new ConcurrentSkipListMap<>();
  private final Set<String> schemas = ConcurrentHashMap.newKeySet();
  private volatile String logging = "";
  private volatile String compatible = "";

  /// What direct path logs, as ALTER TABLESPACE (all tables are in USERS) or ALTER DATABASE said it
  /// last; empty if nothing did.
  public String logging() {
    return logging;
  }

  public void setLogging(String now) {
    logging = now;
  }

  /// COMPATIBLE, which may be below the release.
  public String compatible() {
    return compatible;
  }

  public void setCompatible(String now) {
    compatible = now;
  }

  /// Whether COMPATIBLE is so high.
  public boolean isCompatible(int major, int minor) {
    String[] numbers = compatible.split("\\.", -1);
    int here = Integer.parseInt(numbers[0]);
    return here > major || (here == major && Integer.parseInt(numbers[1]) >= minor);
  }

  public long nextObjectId() {
    return objectIds.getAndIncrement();
  }

  public Set<String> schemas() {
    return schemas;
  }

  public Collection<OraTable> tables() {
    return tables.values();
  }

  public Collection<OraSequence> sequences() {
    return sequences.values();
  }

  public Collection<OraCode> codes() {
    return codes.values();
  }

  /// The same with those tables alone that a user sees.
  public OraCatalog seenBy(Rights rights) {
    OraCatalog seen = new OraCatalog();
    tables().stream().filter(rights::sees).forEach(seen::add);
    sequences().forEach(seen::add);
    codes().forEach(seen::add);
    seen.schemas.addAll(schemas);
    seen.logging = logging;
    seen.compatible = compatible;
    return seen;
  }

  public @Nullable OraTable table(String schema, String name) {
    return tables.get(key(schema, name));
  }

  public @Nullable OraSequence sequence(String schema, String name) {
    return sequences.get(key(schema, name));
  }

  public void add(OraTable table) {
    tables.put(key(table.schema(), table.name()), table);
  }

  public void add(OraSequence sequence) {
    sequences.put(key(sequence.schema(), sequence.name()), sequence);
  }

  public void add(OraCode code) {
    codes.put(codeKey(code.schema(), code.kind(), code.name()), code);
  }

  public void remove(OraTable table) {
    tables.remove(key(table.schema(), table.name()));
  }

  public void remove(OraSequence sequence) {
    sequences.remove(key(sequence.schema(), sequence.name()));
  }

  /// Takes away what is kept as a text, if it is there.
  public void removeCode(String schema, String kind, String name) {
    codes.remove(codeKey(schema, kind, name));
  }

  /// What is kept as a text; null if there is none of that kind.
  public @Nullable OraCode code(String schema, String kind, String name) {
    return codes.get(codeKey(schema, kind, name));
  }

  private static String codeKey(String schema, String kind, String name) {
    return key(schema, name) + '\0' + kind;
  }

  public void rename(OraTable table, String name) {
    remove(table);
    table.rename(name);
    add(table);
  }

  /// The table that an index belongs to; null if there is no such index.
  public @Nullable OraTable tableOfIndex(String schema, String index) {
    for (OraTable table : tables.values()) {
      if (table.schema().equals(schema)
          && table.indexes().stream().anyMatch(each -> each.name().equals(index))) {
        return table;
      }
    }
    return null;
  }

  private static String key(String schema, String name) {
    return schema + '\0' + name;
  }
}
