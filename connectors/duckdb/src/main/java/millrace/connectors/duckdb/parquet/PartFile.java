package millrace.connectors.duckdb.parquet;

import java.nio.file.Path;
import millrace.io.store.StorePath;

/// What a file is written to until it is complete. One thread.
interface PartFile {

  /// The one for a file.
  ///
  /// @param label how to name the file in errors
  /// @param file the name that it will have
  static PartFile of(String label, Path file) {
    return file instanceof StorePath stored
        ? new UploadedPart(label, stored)
        : new HiddenPart(label, file);
  }

  /// Where DuckDB writes it.
  Path path();

  /// How the file is named in errors.
  String label();

  /// Before anything is written: what processes that are gone have left of the same file goes. If
  /// the file is to take another's place, nobody else may read it until then.
  ///
  /// @throws millrace.fault.Fault.External if it can't be removed, or made
  void begin();

  /// DuckDB has written it: nothing but its name is missing behind this.
  default void finish() {
    // It is where it stays.
  }

  /// It is complete: gives it its name, and before that its rights.
  ///
  /// @param replaces whether a file of that name may go
  /// @return what could not be kept of the rights, as a sentence; or empty
  String publish(boolean replaces);

  /// Removes it, if it has not got its name.
  void delete();
}
