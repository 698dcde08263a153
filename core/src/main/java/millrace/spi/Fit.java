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
/// @param notes what becomes of the data and of the target's definition, one sentence each, the
///   most important first: columns left out, keys, triggers. Plan and report tell them
/// @param details how rows get there, one sentence each: staging, locks. The plan tells them
public record Fit(Schema schema, Mode mode, String ddl, List<String> notes, List<String> details) {

  public Fit {
    notes = List.copyOf(notes);
    details = List.copyOf(details);
  }

  /// One without details.
  public Fit(Schema schema, Mode mode, String ddl, List<String> notes) {
    this(schema, mode, ddl, notes, List.of());
  }

  /// The same with one note more.
  public Fit noting(String note) {
    return new Fit(
        schema, mode, ddl, Stream.concat(notes.stream(), Stream.of(note)).toList(), details);
  }
}
