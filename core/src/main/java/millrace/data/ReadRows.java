package millrace.data;

/// The rows of a batch as its reader filled it: conversions give other vectors to the batch, and
/// leave these. They are valid until the batch is released.
///
/// @param schema the source's columns
/// @param vectors their values
public record ReadRows(Schema schema, Vector[] vectors) {}
