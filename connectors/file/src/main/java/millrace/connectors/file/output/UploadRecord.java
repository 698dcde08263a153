package millrace.connectors.file.output;

import org.jspecify.annotations.Nullable;

/// What is known of an upload to a store, as a journal keeps it.
///
/// @param file the name that it will have
/// @param id the store's name for it
/// @param length of the file, once it is finished; -1 before
/// @param identity of the file, once it has its name; null before
public record UploadRecord(String file, String id, long length, @Nullable String identity) {

  /// Of one whose file has not got its name.
  UploadRecord(String file, String id, long length) {
    this(file, id, length, null);
  }
}
