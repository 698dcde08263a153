package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.Partitioning;
import org.jspecify.annotations.Nullable;

/// What a CREATE TABLE says.
///
/// @param isIndex whether the index of its primary key has its rows
/// @param columns empty if the query says what they are
/// @param constraints foreign keys without the key that they refer to
/// @param partitioning without the values of bounds; null if it is not divided
/// @param query what the table is filled with; null if it is empty
public record TableDefinition(
    ObjectName name,
    boolean ifNotExists,
    boolean temporary,
    boolean isIndex,
    List<OraColumn> columns,
    List<OraConstraint> constraints,
    @Nullable Partitioning partitioning,
    @Nullable String query) {}
