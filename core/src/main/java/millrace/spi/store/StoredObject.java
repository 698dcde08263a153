package millrace.spi.store;

import java.time.Instant;

/// An object as a store told of it.
///
/// @param size in bytes; -1 if the store does not tell, as a web server may not
/// @param modified when it was written
/// @param identity its ETag or generation: of other content another
/// @param hasRanges whether it can be read from anywhere; else from its beginning alone
public record StoredObject(
    String key, long size, Instant modified, String identity, boolean hasRanges) {}
