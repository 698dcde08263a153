package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.catalog.OraTable;
import org.jspecify.annotations.Nullable;

/// A query or DML as H2 takes it.
///
/// @param text H2's SQL
/// @param uses its parameters, in order
/// @param tables what it reads or writes, dictionary excepted
/// @param target what it writes; null for a query
/// @param part the only partition or subpartition that is inserted into; null if rows go where they
///   belong
/// @param append whether a hint asks for a direct path insert
/// @param forUpdate whether a query locks its rows
/// @param snapshot the SCN that it reads at; null if it reads what is there
public record TranslatedSql(
    String text,
    List<BindUse> uses,
    List<OraTable> tables,
    @Nullable OraTable target,
    @Nullable String part,
    boolean append,
    boolean forUpdate,
    @Nullable SnapshotClause snapshot) {}
