package millrace.spi;

import java.util.List;
import java.util.stream.Stream;
import millrace.data.Schema;

/// How the target will take the source's columns, settled before the first row moves.
///
/// @param schema the columns in the source's order, under the names and types that writers get; the
///   engine converts where a type differs
/// @param mode what will happen to what is there, the user's choice or the default that fits
/// @param ddl the statement that makes the target, or empty where none is needed
/// @param notes what the user should know, one sentence each: staging, keys, columns left out
public record Fit(Schema schema, Mode mode, String ddl, List<String> notes) {

  public Fit {
    notes = List.copyOf(notes);
  }

  /// The same with one note more.
  public Fit noting(String note) {
    return new Fit(schema, mode, ddl, Stream.concat(notes.stream(), Stream.of(note)).toList());
  }
}
