package millrace.fault;

import java.io.Serializable;

/// Where in its source a batch begins.
///
/// @param resource the file, table or generator, as a user would name it
/// @param split number of the split, from 0 in source order
/// @param firstRow number of the batch's first row within the resource, from 1; 0 if unknown
/// @param firstLine line of a text file on which the batch begins, from 1; 0 if there are none
/// @param byteOffset bytes before the batch in the resource; -1 if there are none
public record Location(String resource, int split, long firstRow, long firstLine, long byteOffset)
    implements Serializable {}
