package millrace.copy;

import millrace.fault.Fault;
import millrace.report.Report;
import org.jspecify.annotations.Nullable;

/// How a copy ended.
///
/// @param report what it did
/// @param fault why it failed, or null if it did not
/// @param undoFailure why what was staged could not be removed then, or null if it was
/// @param settled whether it came to touching the target
/// @param kept whether another run can go on with what it left
/// @param leaves what stays of rows that were never called durable; empty if nothing does
/// @param completeSince since when the copy is complete, so that there was nothing to do; else
///   empty
/// @param notesOfData how many of the report's notes, the first ones, say what became of the data
public record CopyResult(
    Report report,
    @Nullable Fault fault,
    @Nullable RuntimeException undoFailure,
    boolean settled,
    boolean kept,
    String leaves,
    String completeSince,
    int notesOfData) {}
