/// What the DDL said: tables, columns and their Oracle types, constraints, indexes, partitions.
///
/// H2 has tables of the same names; this is kept beside it because Oracle's types say more.
@NullMarked
package millrace.testkit.oracle.catalog;

import org.jspecify.annotations.NullMarked;
