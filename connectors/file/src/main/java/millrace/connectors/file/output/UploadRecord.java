package millrace.connectors.file.output;

/// What is known of an upload to a store, as a journal keeps it.
///
/// @param file the name that it will have
/// @param id the store's name for it
/// @param length of the file, once it is finished; -1 before
public record UploadRecord(String file, String id, long length) {}
