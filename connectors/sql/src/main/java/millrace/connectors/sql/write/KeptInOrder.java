package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.sink.TableUpkeep;
import millrace.connectors.sql.sink.TableUpkeep.Left;
import millrace.fault.Fault;
import millrace.spi.journal.JournalText;
import org.jspecify.annotations.Nullable;

/// How a run leaves the table that it fills in order, whatever becomes of its rows. The target's
/// thread.
final class KeptInOrder {

  /// Of a run that has nothing to put in order.
  static final KeptInOrder NOTHING = new KeptInOrder(TableUpkeep.NONE);

  private final TableUpkeep upkeep;
  private boolean begun;
  private boolean ended;

  private KeptInOrder(TableUpkeep upkeep) {
    this.upkeep = upkeep;
  }

  /// Looks at the table, and changes nothing.
  static KeptInOrder of(MethodChoice sending, SqlSession session) {
    return new KeptInOrder(sending.upkeep(session, null));
  }

  /// The same of a run that goes on with another.
  ///
  /// @param known what that has written down; null if it had nothing to write
  static KeptInOrder goingOn(MethodChoice sending, SqlSession session, @Nullable JsonNode known) {
    List<String> before = new ArrayList<>();
    if (known != null) {
      known.forEach(each -> before.add(each.asText()));
    }
    return new KeptInOrder(sending.upkeep(session, before));
  }

  /// What the journal is to know of it; null if there is nothing.
  @Nullable JsonNode details() {
    List<String> state = upkeep.state();
    return state.isEmpty() ? null : JournalText.details(state);
  }

  /// Makes the table ready.
  void begin(SqlSession session) {
    begun = true;
    upkeep.begin(session);
  }

  /// Puts the table in order once all rows are in it.
  ///
  /// @throws Fault.Data if that can't be done: the run can be gone on with once the user has
  void end(SqlSession session) {
    List<Left> left = upkeep.end(session);
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
  List<String> notes(LazySession own) {
    if (!begun || ended || upkeep.equals(TableUpkeep.NONE)) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    try {
      own.close();
      for (Left left : upkeep.end(own.get())) {
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
