package millrace.spi.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// One thing that a journal says of a run. {@link JournalText} spells them; what they come to, core
/// decides for all targets alike.
public sealed interface Entry {

  /// A run has begun.
  ///
  /// @param mode what becomes of what the target held; null if the user's options alone tell
  /// @param staging where its rows wait for its end, as the system names it; empty if they go into
  ///   the target itself
  /// @param tableId what the system calls the table that rows go into, whatever its name is; empty
  ///   if it can't tell tables apart, or if that does not matter
  /// @param columns the target's, with their types, by which rows are laid out; empty if that does
  ///   not matter
  /// @param details what else the connector has to know of it, in its own words; or null
  /// @param landing how its rows get to the target, so that it is not settled anew for a run that
  ///   resumes it; null if the journal does not say
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Begun(
      RunRecord run,
      @Nullable Mode mode,
      String staging,
      String tableId,
      List<String> columns,
      @Nullable JsonNode details,
      @Nullable Landing landing)
      implements Entry {

    /// One whose journal does not say how its rows get to the target.
    public Begun(
        RunRecord run,
        @Nullable Mode mode,
        String staging,
        String tableId,
        List<String> columns,
        @Nullable JsonNode details) {
      this(run, mode, staging, tableId, columns, details, null);
    }

    public Begun {
      // What is empty is not spelled.
      staging = staging == null ? "" : staging;
      tableId = tableId == null ? "" : tableId;
      columns = columns == null ? List.of() : List.copyOf(columns);
    }

    /// One whose rows go into the target itself, and of which there is nothing else to say.
    public static Begun of(RunRecord run, @Nullable Mode mode) {
      return new Begun(run, mode, "", "", List.of(), null);
    }

    /// The same, with what the connector has to know.
    public Begun with(@Nullable Object known) {
      JsonNode json = known == null ? null : JournalText.details(known);
      return new Begun(run, mode, staging, tableId, columns, json, landing);
    }

    /// Sees to it that the target takes rows which wait, laid out by its columns as they were.
    ///
    /// @param target how to name it
    /// @param now its columns
    /// @throws Fault.User if it does not
    public void checkColumns(String target, List<String> now) {
      if (isStaged() && !columns.equals(now)) {
        throw new Fault.User(
            "The columns of " + target + " are others than when the copy began.",
            "Begin again with --fresh.");
      }
    }

    /// Whether its rows wait for its end.
    @JsonIgnore
    public boolean isStaged() {
      return !staging.isEmpty();
    }
  }

  /// Rows have been taken. A later one of a split with the same start takes the place of an earlier
  /// one.
  ///
  /// What is spelled of it may grow by who took the split, for attempts that run side by side: a
  /// version that does not know of that refuses to read it.
  ///
  /// @param details what else the connector has to know of it, in its own words; or null
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Taken(Receipt receipt, @Nullable JsonNode details) implements Entry {}

  /// All rows are there or staged, and names are about to be changed.
  ///
  /// @param at when, in UTC as {@link Instant} spells it
  /// @param details what else the connector has to know of it, in its own words; or null
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Sealing(String at, @Nullable JsonNode details) implements Entry {

    public Sealing {
      at = at == null ? "" : at;
    }

    /// One that is about to be written.
    public static Sealing now(@Nullable Object known) {
      return new Sealing(time(), known == null ? null : JournalText.details(known));
    }
  }

  /// The run has ended well.
  ///
  /// @param at when, in UTC as {@link Instant} spells it; empty in journals of early versions
  /// @param tableId what the system calls the target then; empty if it can't tell tables apart
  /// @param held whether the target held rows then, if no receipts tell of them
  /// @param rows how many the run had written, if no receipts tell of them; 0 if nobody knows
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Complete(
      String at,
      String tableId,
      boolean held,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long rows)
      implements Entry {

    public Complete {
      at = at == null ? "" : at;
      tableId = tableId == null ? "" : tableId;
    }

    /// One of whose rows receipts tell, if anything does.
    public Complete(String at, String tableId, boolean held) {
      this(at, tableId, held, 0);
    }

    /// One that is about to be written.
    public static Complete now(String tableId, boolean held) {
      return new Complete(time(), tableId, held);
    }

    /// The same, for a journal that keeps no receipts.
    public Complete with(long count) {
      return new Complete(at, tableId, held, count);
    }
  }

  private static String time() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
