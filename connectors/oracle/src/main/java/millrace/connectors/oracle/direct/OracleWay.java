package millrace.connectors.oracle.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.plan.Slot;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.write.LoadStart;
import millrace.connectors.sql.write.MethodChoice;
import millrace.connectors.sql.write.SqlWay;
import millrace.connectors.sql.write.WayIn;
import millrace.spi.LaneLimit;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Landing;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Several sessions send rows and commit in parts; by direct path, rules and indexes of the table
/// are seen to before and after.
///
/// @param label the table, for errors
/// @param method how rows are sent if nothing keeps them from it
record OracleWay(String label, LoadMethod method) implements WayIn {

  /// Its documents keep only the last of an object's members with one name.
  private static final String JSON = "JSON";

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return method.lanes(there);
  }

  @Override
  public WritePlan writePlan(SqlLoad load, Supplier<SqlSession> session, WritePlan usual) {
    List<String> documents =
        load.columns().slots().stream()
            .filter(slot -> slot.declared().equals(JSON))
            .map(Slot::name)
            .toList();
    List<String> notes = new ArrayList<>(usual.notes());
    if (method instanceof DirectPath direct) {
      if (direct.isStream()) {
        notes.add("Rows are streamed by an internal interface of the driver.");
      }
      notes.addAll(UnloggedRows.notes(load, session.get()));
    }
    return new WritePlan(
        usual.schema(),
        usual.mode(),
        usual.ddl(),
        notes,
        usual.details(),
        documents,
        usual.adviceToReadItself(),
        // A direct path makes entries of indexes when it has all rows.
        method instanceof DirectPath ? List.of() : usual.rowCosts());
  }

  @Override
  public WriteSession open(SqlLoad load, LoadStart start) {
    SqlSession opened = start.session().get();
    boolean isShared =
        method instanceof DirectPath && start.write().journal() instanceof WriteStart.Journal.Join;
    MethodChoice choice =
        MethodChoice.of(load, isShared ? method.inserts() : method, opened, start.write().size());
    StreamsInDoubt streams = new StreamsInDoubt(start.journal(), load.dialect(), load.table());
    return choice.method() instanceof DirectPath direct
        ? open(choice, direct, streams, start)
        : settled(SqlWay.open(choice, start, null), streams, start, () -> {});
  }

  private WriteSession open(
      MethodChoice choice, DirectPath direct, StreamsInDoubt streams, LoadStart start) {
    LoadUpkeep order = LoadUpkeep.of(direct, choice, start);
    StreamIntents announcements = new StreamIntents(start.database(), streams, start.write().run());
    MethodChoice streamed =
        new MethodChoice(
            // A table that takes its name at the end gets its key once all rows are in it.
            choice
                .plan()
                .sent(choice.plan().landing().place() == Landing.Place.SWAP, direct.isStream()),
            direct.announcing(announcements),
            choice.undoes());
    WriteSession parts = SqlWay.open(streamed, start, order.details());
    return settled(
        new DirectPathSession(
            parts,
            choice.plan(),
            start.session(),
            order,
            announcements,
            streams,
            start.write().run()),
        streams,
        start,
        () -> order.begin(start.session().get()));
  }

  /// The session, once it is settled what a run before has left.
  private WriteSession settled(
      WriteSession session, StreamsInDoubt streams, LoadStart start, Runnable begin) {
    return OpenFailed.undoing(
        session,
        start.write().resumed() != null,
        () -> {
          if (start.write().journal() instanceof WriteStart.Journal.Resume(JournaledRun from)) {
            streams.settle(start.session().get(), from, label);
          }
          begin.run();
        });
  }
}
