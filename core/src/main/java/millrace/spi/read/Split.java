package millrace.spi.read;

import java.io.Serializable;

/// A part of the source that can be read, retried and recorded on its own.
///
/// @param index from 0 in source order
/// @param resource what it is a part of: a file, a table or partition, a generator
/// @param from where it starts, in the source's own measure: bytes, blocks, rows
/// @param to where it ends, exclusive; {@link Long#MAX_VALUE} for the end of the resource
/// @param firstRow number of its first row in the resource, from 1; 0 where unknown
/// @param firstLine line on which it starts in a text file, from 1; 0 where there are none
public record Split(int index, String resource, long from, long to, long firstRow, long firstLine)
    implements Serializable {}
