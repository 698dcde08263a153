/// Oracle's own formats of values: numbers, dates, intervals and rowids as bytes.
///
/// Values are Java objects on the other side: String, BigDecimal, LocalDateTime (DATE, TIMESTAMP
/// and TIMESTAMP WITH LOCAL TIME ZONE, the last in the database's zone), OffsetDateTime, Period,
/// Duration, Float, Double, Boolean, byte[], OraRowid; and null, which is also every empty text.
@NullMarked
package millrace.testkit.oracle.value;

import org.jspecify.annotations.NullMarked;
