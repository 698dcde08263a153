package millrace.testkit.oracle.catalog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import millrace.testkit.oracle.value.OraRowid;
import org.jspecify.annotations.Nullable;

/// A table or a view, as the DDL left it. DDL changes it under the database's own lock; any thread
/// reads it.
public final class OraTable {

  private final String schema;
  private final long objectId;
  private final List<OraConstraint> constraints = new CopyOnWriteArrayList<>();
  private final List<OraIndex> indexes = new CopyOnWriteArrayList<>();
  private volatile String name;
  private volatile List<OraColumn> columns;
  private volatile @Nullable Partitioning partitioning;
  private volatile @Nullable String viewText;
  private volatile @Nullable Statistics statistics;
  private volatile boolean temporary;
  private volatile boolean isIndex;
  private volatile @Nullable String cluster;
  private volatile String comment = "";
  private final Map<String, String> columnComments = new ConcurrentHashMap<>();
  private final Set<List<String>> grants = ConcurrentHashMap.newKeySet();
  private volatile @Nullable OraTrigger trigger;
  private volatile boolean triggerEnabled;
  private volatile boolean unlogged;
  private final Set<List<String>> attached = ConcurrentHashMap.newKeySet();
  private volatile Instant lastDdl = Instant.now();

  /// What DBMS_STATS found.
  ///
  /// @param ofParts rows of partitions and subpartitions, by their names
  public record Statistics(
      long rows, long blocks, long averageRowBytes, Map<String, Long> ofParts) {

    public Statistics {
      ofParts = Map.copyOf(ofParts);
    }
  }

  public OraTable(String schema, String name, long objectId, List<OraColumn> columns) {
    this.schema = schema;
    this.name = name;
    this.objectId = objectId;
    this.columns = List.copyOf(columns);
  }

  public String schema() {
    return schema;
  }

  public String name() {
    return name;
  }

  /// The numbers of what keeps its rows: itself, or its smallest parts in their order.
  public List<Long> dataObjects() {
    Partitioning division = partitioning();
    int parts = division == null ? 0 : division.leaves().size();
    return parts == 0
        ? List.of(objectId())
        : IntStream.rangeClosed(1, parts)
            .mapToObj(part -> OraRowid.object(objectId(), part))
            .toList();
  }

  public long objectId() {
    return objectId;
  }

  public List<OraColumn> columns() {
    return columns;
  }

  public List<OraConstraint> constraints() {
    return constraints;
  }

  public List<OraIndex> indexes() {
    return indexes;
  }

  public @Nullable Partitioning partitioning() {
    return partitioning;
  }

  /// The query of a view; null for a table.
  public @Nullable String viewText() {
    return viewText;
  }

  public boolean isView() {
    return viewText != null;
  }

  /// Null if none were gathered.
  public @Nullable Statistics statistics() {
    return statistics;
  }

  /// How many rows statistics know of in a part; null if none were gathered.
  public @Nullable Long rowsOf(String part) {
    Statistics found = statistics;
    return found == null ? null : Long.valueOf(found.ofParts().getOrDefault(part, 0L));
  }

  public boolean isTemporary() {
    return temporary;
  }

  /// Whether the index of its primary key has its rows.
  public boolean isIndex() {
    return isIndex;
  }

  /// The cluster that has its rows; null if none has.
  public @Nullable String cluster() {
    return cluster;
  }

  /// What COMMENT says of it; empty if nothing does.
  public String comment() {
    return comment;
  }

  /// The same of its columns, by their names.
  public Map<String, String> columnComments() {
    return columnComments;
  }

  /// A privilege and who has it, each.
  public Set<List<String>> grants() {
    return grants;
  }

  /// Whether direct path leaves its rows out of the redo log.
  public boolean isUnlogged() {
    return unlogged;
  }

  public void setUnlogged(boolean now) {
    unlogged = now;
  }

  /// Whether files have its rows, or some of them.
  public boolean isExternal() {
    return attached.stream().anyMatch(each -> each.getFirst().equals("EXTERNAL"));
  }

  /// What the server does for it besides, each a kind and a name: `POLICY`, `ENCRYPTED`, `LOG`,
  /// `LOG_GROUP`, `ARCHIVE` and `EXTERNAL`.
  public Set<List<String>> attached() {
    return attached;
  }

  /// Its trigger; null if there is none.
  public @Nullable OraTrigger trigger() {
    return trigger;
  }

  public boolean hasEnabledTrigger() {
    return trigger != null && triggerEnabled;
  }

  public void rename(String other) {
    name = other;
  }

  public void setColumns(List<OraColumn> now) {
    columns = List.copyOf(now);
  }

  public void setPartitioning(@Nullable Partitioning now) {
    partitioning = now;
  }

  public void setViewText(String text) {
    viewText = text;
  }

  public void setStatistics(@Nullable Statistics now) {
    statistics = now;
  }

  public void setTemporary() {
    temporary = true;
  }

  public void setCluster(@Nullable String now) {
    cluster = now;
  }

  public void setIndex() {
    isIndex = true;
  }

  public void setComment(String now) {
    comment = now;
  }

  /// Gives it a trigger, which is enabled, or takes it away.
  public void setTrigger(@Nullable OraTrigger now) {
    trigger = now;
    triggerEnabled = true;
  }

  public void enableTrigger(boolean on) {
    triggerEnabled = on;
  }

  /// When it was made, altered, truncated or granted last.
  public Instant lastDdl() {
    return lastDdl;
  }

  /// A DDL has just changed it.
  public void setChanged() {
    lastDdl = Instant.now();
  }

  /// The column of that name; null if there is none.
  public @Nullable OraColumn column(String wanted) {
    for (OraColumn column : columns) {
      if (column.name().equals(wanted)) {
        return column;
      }
    }
    return null;
  }

  /// The constraint of that name; null if there is none.
  public @Nullable OraConstraint constraint(String wanted) {
    for (OraConstraint constraint : constraints) {
      if (constraint.name().equals(wanted)) {
        return constraint;
      }
    }
    return null;
  }

  /// Puts a constraint in the place of the one of the same name, or behind the others.
  public void put(OraConstraint constraint) {
    List<OraConstraint> now = new ArrayList<>(constraints);
    now.removeIf(other -> other.name().equals(constraint.name()));
    now.add(constraint);
    constraints.clear();
    constraints.addAll(now);
  }

  /// Puts an index in the place of the one of the same name, or behind the others.
  public void put(OraIndex index) {
    List<OraIndex> now = new ArrayList<>(indexes);
    now.removeIf(other -> other.name().equals(index.name()));
    now.add(index);
    indexes.clear();
    indexes.addAll(now);
  }
}
