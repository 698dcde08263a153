package millrace.testkit.oracle.catalog;

/// A sequence, or the one behind an identity column.
public record OraSequence(
    String schema, String name, long objectId, long start, long increment, long cache) {}
