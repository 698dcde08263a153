package millrace.testkit.oracle.catalog;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a table is divided: by which columns, and into which partitions.
///
/// @param columns the key
/// @param partitions in their order
/// @param subColumns the key of the subpartitions; empty if there are none
/// @param subpartitions how many subpartitions each partition has
public record Partitioning(
    Method method,
    List<String> columns,
    List<Part> partitions,
    List<String> subColumns,
    int subpartitions) {

  /// How a row's key decides.
  public enum Method {
    HASH,
    RANGE,
    LIST
  }

  /// One partition.
  ///
  /// @param bound what DDL said about its values; empty for HASH
  /// @param values the bound's values in Java: the first that is too high, or all of a list. Null
  ///   stands for MAXVALUE in a range
  public record Part(String name, String bound, List<@Nullable Object> values) {

    boolean isDefaultList() {
      return bound.equalsIgnoreCase("DEFAULT");
    }
  }

  /// The partition of a row with that key; null if none takes it.
  public @Nullable String find(List<@Nullable Object> key) {
    return switch (method) {
      case HASH -> partitions.get(hash(key, partitions.size())).name();
      case RANGE -> {
        for (Part part : partitions) {
          if (isBelow(key, part.values())) {
            yield part.name();
          }
        }
        yield null;
      }
      case LIST -> {
        String fallback = null;
        for (Part part : partitions) {
          if (part.isDefaultList()) {
            fallback = part.name();
          } else if (part.values().stream().anyMatch(value -> same(value, key.getFirst()))) {
            yield part.name();
          }
        }
        yield fallback;
      }
    };
  }

  /// The subpartition of a row in a partition; null if there are none.
  public @Nullable String findSub(String partition, List<@Nullable Object> key) {
    return subColumns.isEmpty() ? null : subName(partition, hash(key, subpartitions));
  }

  /// The names of what rows lie in: subpartitions, or partitions if there are none.
  public List<String> leaves() {
    return subpartitions == 0 ? names() : names().subList(partitions.size(), names().size());
  }

  /// The names of all partitions, and behind them of all subpartitions.
  public List<String> names() {
    List<String> names = new ArrayList<>();
    partitions.forEach(part -> names.add(part.name()));
    for (Part part : partitions) {
      for (int i = 0; i < subpartitions; i++) {
        names.add(subName(part.name(), i));
      }
    }
    return names;
  }

  /// What gives the place of a row's leaf among all leaves, from 1, as H2's SQL.
  ///
  /// @param alias the table's, quoted
  public String place(String alias) {
    StringBuilder sql = new StringBuilder("CASE " + alias);
    sql.append(subpartitions == 0 ? ".\"ORA$PART\"" : ".\"ORA$SUBPART\"");
    int place = 1;
    for (String leaf : leaves()) {
      sql.append(" WHEN '").append(leaf.replace("'", "''")).append("' THEN ").append(place++);
    }
    return "(" + sql + " ELSE 0 END)";
  }

  /// The name of one of a partition's subpartitions.
  public static String subName(String partition, int index) {
    return partition + "_SUBP" + (index + 1);
  }

  private static int hash(List<@Nullable Object> key, int count) {
    int hash = 17;
    for (Object value : key) {
      Object plain = value instanceof BigDecimal number ? number.stripTrailingZeros() : value;
      hash = 31 * hash + (plain == null ? 0 : plain.hashCode());
    }
    return Math.floorMod((hash * 0x9E3779B9) >>> 7, count);
  }

  private static boolean isBelow(List<@Nullable Object> key, List<@Nullable Object> bound) {
    for (int i = 0; i < key.size(); i++) {
      Object limit = bound.get(i);
      if (limit == null) {
        return true;
      }
      Object value = key.get(i);
      if (value == null) {
        return false;
      }
      int order = compare(value, limit);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }

  private static boolean same(@Nullable Object listed, @Nullable Object value) {
    if (listed == null || value == null) {
      return listed == null && value == null;
    }
    return compare(value, listed) == 0;
  }

  private static int compare(Object left, Object right) {
    if (left instanceof Number && right instanceof Number) {
      return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString()));
    }
    return left.toString().compareTo(right.toString());
  }
}
