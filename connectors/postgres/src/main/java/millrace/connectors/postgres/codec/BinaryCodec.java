package millrace.connectors.postgres.codec;

/// How a value stands in PostgreSQL's binary form, as the server's `typsend` functions make it
/// (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"; src/backend/utils/adt).
/// All numbers are big-endian.
public enum BinaryCodec {
  /// One byte, 0 or 1.
  BOOL,
  /// Signed integers of 2, 4 and 8 bytes.
  INT2,
  INT4,
  INT8,
  /// IEEE 754 numbers of 4 and 8 bytes.
  FLOAT4,
  FLOAT8,
  /// Digits of base 10,000 (see {@link NumericBinary}), held in longs.
  NUMERIC_LONG,
  /// The same, held as text.
  NUMERIC_TEXT,
  /// 4 bytes: days since 2000-01-01, the largest and the smallest for the infinities.
  DATE,
  /// 8 bytes: microseconds since midnight.
  TIME,
  /// 8 bytes: microseconds since 2000-01-01, the largest and the smallest for the infinities.
  TIMESTAMP,
  /// 16 bytes.
  UUID,
  /// The bytes of its text in the client's encoding: text types, json and enums.
  TEXT,
  /// The bytes themselves.
  BYTES,
  /// A byte 1, then the text.
  JSONB,
  /// We do not know its binary form, and go by its text.
  NONE
}
