package millrace.testkit.oracle.catalog;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// An index of a table, one that was created or one that a key brought with it.
///
/// @param columns columns, or expressions of a function-based index
/// @param falling those of them whose greatest values come first
/// @param local whether it is divided as its table is
/// @param after the partitions or subpartitions of it that are not kept up to date, or {@link
///   #WHOLE}; a unique index with any refuses rows
public record OraIndex(
    String name,
    long objectId,
    boolean unique,
    List<String> columns,
    Set<String> falling,
    boolean local,
    Set<String> after) {

  /// Stands for an index that is not divided.
  public static final String WHOLE = "";

  public OraIndex {
    columns = List.copyOf(columns);
    falling = Set.copyOf(falling);
    after = Set.copyOf(after);
  }

  /// One that is not divided.
  public static OraIndex whole(
      String name, long objectId, boolean unique, List<String> columns, boolean usable) {
    Set<String> after = usable ? Set.of() : Set.of(WHOLE);
    return new OraIndex(name, objectId, unique, columns, Set.of(), false, after);
  }

  /// Whether all of it is kept up to date.
  public boolean usable() {
    return after.isEmpty();
  }

  /// The same with other parts that are behind.
  public OraIndex withBehind(Set<String> parts) {
    return new OraIndex(name, objectId, unique, columns, falling, local, parts);
  }

  /// The same if some of it was left behind.
  ///
  /// @param table its table
  /// @param part the only partition or subpartition of that; {@link #WHOLE} if all
  public OraIndex leftBehind(OraTable table, String part) {
    Partitioning division = table.partitioning();
    if (!local || division == null) {
      return withBehind(Set.of(WHOLE));
    }
    Set<String> parts = new HashSet<>(after);
    division.leaves().stream()
        .filter(leaf -> part.equals(WHOLE) || leaf.equals(part) || leaf.startsWith(part + "_SUBP"))
        .forEach(parts::add);
    return withBehind(parts);
  }

  /// The same if a part of it was built again.
  ///
  /// @param part a partition or subpartition; {@link #WHOLE} if all
  public OraIndex rebuilt(String part) {
    Set<String> parts = new HashSet<>(after);
    if (part.equals(WHOLE)) {
      parts.clear();
    } else {
      parts.remove(part);
    }
    return withBehind(parts);
  }
}
