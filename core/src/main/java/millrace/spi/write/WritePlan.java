package millrace.spi.write;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import millrace.data.Schema;

/// How the target will take the source's columns, settled before the first row moves.
///
/// @param schema the columns in the source's order, under the names and types that writers get; the
///   engine converts if a type differs
/// @param mode what will happen to what is there, the user's choice or the default that fits
/// @param ddl the statement that makes the target, or empty if none is needed
/// @param notes what becomes of the data and of the target's definition, one sentence each, the
///   most important first: columns left out, keys, triggers. Plan and report tell them
/// @param details how rows get there, one sentence each: staging, locks. The plan tells them
/// @param lastMemberOnly names of columns of JSON in which the target keeps only the last of an
///   object's members with one name; the run counts the documents that have such
/// @param adviceToReadItself what to do to load it with what is read from itself; empty if it stays
///   as it is until all has been read, and nothing more need be done
/// @param rowCosts what makes each row dear, as far as the target knows; the report names it if
///   that was the slowest part
public record WritePlan(
    Schema schema,
    Mode mode,
    String ddl,
    List<String> notes,
    List<String> details,
    List<String> lastMemberOnly,
    String adviceToReadItself,
    List<RowCost> rowCosts)
    implements Serializable {

  public WritePlan {
    notes = List.copyOf(notes);
    details = List.copyOf(details);
    lastMemberOnly = List.copyOf(lastMemberOnly);
    rowCosts = List.copyOf(rowCosts);
  }

  /// One that keeps JSON as it is written, can't be loaded with what is read from itself, and has
  /// nothing that makes rows dear.
  public WritePlan(Schema schema, Mode mode, String ddl, List<String> notes, List<String> details) {
    this(
        schema,
        mode,
        ddl,
        notes,
        details,
        List.of(),
        "Copy to another name, and rename that.",
        List.of());
  }

  /// One that only takes the columns as they come.
  public static WritePlan of(WriteRequest request) {
    return new WritePlan(request.incoming(), request.mode(), "", List.of(), List.of());
  }

  /// The same with one note more.
  public WritePlan noting(String note) {
    List<String> all = Stream.concat(notes.stream(), Stream.of(note)).toList();
    return new WritePlan(
        schema, mode, ddl, all, details, lastMemberOnly, adviceToReadItself, rowCosts);
  }

  /// The same with one detail more.
  public WritePlan detailing(String detail) {
    List<String> all = Stream.concat(details.stream(), Stream.of(detail)).toList();
    return new WritePlan(
        schema, mode, ddl, notes, all, lastMemberOnly, adviceToReadItself, rowCosts);
  }

  /// The same, in which that makes rows dear.
  public WritePlan withRowCosts(List<RowCost> known) {
    return new WritePlan(
        schema, mode, ddl, notes, details, lastMemberOnly, adviceToReadItself, known);
  }
}
