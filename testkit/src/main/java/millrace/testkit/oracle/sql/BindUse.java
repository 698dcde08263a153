package millrace.testkit.oracle.sql;

import millrace.testkit.oracle.catalog.OraColumn;
import org.jspecify.annotations.Nullable;

/// A parameter of H2's statement.
///
/// @param bind which of the client's binds it is, from 0
/// @param column the column that takes it as it is; null if it stands in an expression
public record BindUse(int bind, @Nullable OraColumn column) {}
