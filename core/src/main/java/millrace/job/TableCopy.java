package millrace.job;

import millrace.copy.CopySpec;

/// One of the copies of a job.
///
/// @param name the table's, as results name it
/// @param spec what is to be done
/// @param bytes about how large it is; -1 if nobody knows
public record TableCopy(String name, CopySpec spec, long bytes) {}
