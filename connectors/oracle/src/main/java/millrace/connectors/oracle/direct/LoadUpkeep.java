package millrace.connectors.oracle.direct;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.oracle.direct.DirectPathUpkeep.Left;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.write.LoadStart;
import millrace.connectors.sql.write.MethodChoice;
import millrace.fault.Fault;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// How a run leaves the table that it fills in order, whatever becomes of its rows. The target's
/// thread.
final class LoadUpkeep {

  private final @Nullable DirectPathUpkeep upkeep;
  private boolean begun;
  private boolean ended;

  private LoadUpkeep(@Nullable DirectPathUpkeep upkeep) {
    this.upkeep = upkeep;
  }

  /// Looks at the table, and changes nothing. One without keys and indexes, or that is made beside
  /// its place, needs nothing.
  ///
  /// @throws Fault.User if something keeps streams from it
  static LoadUpkeep of(DirectPath direct, MethodChoice choice, LoadStart start) {
    if (choice.keyed() == null) {
      return new LoadUpkeep(null);
    }
    JournaledRun from = start.write().resumed();
    List<String> known = from == null ? null : known(from.begun().details());
    return new LoadUpkeep(direct.upkeep(start.session().get(), choice.plan().filled(), known));
  }

  /// What a run before has written down of the table.
  private static List<String> known(@Nullable JsonNode details) {
    List<String> commands = new ArrayList<>();
    if (details != null) {
      details.forEach(each -> commands.add(each.asText()));
    }
    return commands;
  }

  /// What the journal is to know of it; null if there is nothing.
  @Nullable JsonNode details() {
    List<String> state = upkeep == null ? List.of() : upkeep.state();
    return state.isEmpty() ? null : JournalText.details(state);
  }

  /// Makes the table ready.
  void begin(SqlSession session) {
    begun = true;
    if (upkeep != null) {
      upkeep.begin(session);
    }
  }

  /// Puts the table in order once all rows are in it.
  ///
  /// @throws Fault.Data if that can't be done: the run can be gone on with once the user has
  void end(SqlSession session) {
    List<Left> left = upkeep == null ? List.of() : upkeep.end(session);
    ended = true;
    if (!left.isEmpty()) {
      Set<String> reasons =
          left.stream().map(Left::why).collect(Collectors.toCollection(LinkedHashSet::new));
      throw new Fault.Data(
          "All rows are in the table, but it is not in order: " + String.join(" ", reasons),
          "Mend what it says, and then: " + commands(left),
          null);
    }
  }

  private static String commands(List<Left> left) {
    return left.stream().map(each -> each.command() + ";").collect(Collectors.joining(" "));
  }

  /// Puts the table in order once the run has failed, on a connection that is opened anew: the last
  /// one may have been stopped, or lost.
  ///
  /// @return what the user should know, a sentence each
  List<String> notes(LazySession session) {
    if (!begun || ended || upkeep == null) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    try {
      session.close();
      for (Left left : upkeep.end(session.get())) {
        notes.add(
            "The table is not in order: " + left.why() + " To mend it: " + left.command() + ";");
      }
    } catch (Fault e) {
      List<String> state = upkeep.state();
      notes.add(
          "The table may not be in order ("
              + e.clause()
              + ")."
              + (state.isEmpty() ? "" : " To mend it: " + String.join("; ", state) + ";"));
    }
    return notes;
  }
}
