package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.online.Jobs;
import millrace.online.job.OnlineJob;
import millrace.online.load.WriteListener;
import millrace.online.report.Series;
import millrace.report.host.HostFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a report notes beside its figures.
final class OnlineNotesTest {

  private static final OnlineJob JOB = Jobs.of("rows: 40\nclients: 2\nduration: 8s", "share: 0 %");

  private static List<String> notes(int windows, int rows, int unbegun, Series.Pause... pauses) {
    RunMeter meter = new RunMeter(1, _ -> 0);
    for (int i = 0; i < windows; i++) {
      meter.incomplete();
    }
    if (rows > 0) {
      meter.wrote(new WriteListener.Write(0, -1, rows, rows, 0, 0, new WriteListener.Times(0, 0)));
    }
    meter.endsAt(unbegun - 1);
    return new OnlineNotes(JOB, meter, new FullDisk()).all(false, List.of(pauses), List.of());
  }

  @Test
  void oneThingIsToldAsOne() {
    assertThat(notes(1, 1, 1, new Series.Pause(15.2, 7, false)))
        .containsExactly(
            "This process itself stood still for 7.0 s at 0:15.",
            "1 window was begun before all of its rows were in; it was aggregated again.",
            "1 late row was still out at the end, and was written then.",
            "1 write had not begun when the schedule ended: its rows were not sent.");
  }

  @Test
  void whatOthersTookIsToldOfClientsAndTarget() {
    OnlineNotes notes = new OnlineNotes(JOB, new RunMeter(1, _ -> 0), new FullDisk());
    notes.crowded(0.97, 0.62);
    assertThat(notes.all(false, List.of(), List.of()))
        .containsExactly(
            "Other programs took 97 % of this machine's processors: clients that waited for one"
                + " were late by themselves. That, and what a target on this machine waited, is"
                + " about 62 % of the time that writes and aggregates took.");
    notes.crowded(0.97, 0);
    assertThat(notes.all(false, List.of(), List.of()).getFirst())
        .endsWith("were late by themselves.");
  }

  @Test
  void severalAreToldWithTheirNumber() {
    assertThat(notes(2, 3, 4, new Series.Pause(15.2, 7, false), new Series.Pause(31, 0.5, true)))
        .containsExactly(
            "This process itself stood still 2 times, 7.5 s in all; the longest was 7.0 s at 0:15.",
            "2 windows were begun before all of their rows were in; they were aggregated again.",
            "3 late rows were still out at the end, and were written then.",
            "4 writes had not begun when the schedule ended: their rows were not sent.");
  }

  /// What systems call it, and what comes before it and after it.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "could not extend file \"base/5/16391\": No space left on device (hint: Check free disk"
            + " space.)",
        "duckdb:/x.duckdb: the disk is full",
        "kudu://m1/t: IO error: /data/wals/x: No space left on device (error 28)",
        "kudu://m1/t: Service unavailable: Insufficient disk space to allocate 8388608 bytes",
        "ENOSPC: no space left on device, write",
        "The engine does not aggregate, its disk is full (SQLSTATE 53100)"
      })
  void aFullDiskIsTheFirstThingThatIsTold(String said) {
    RunMeter meter = new RunMeter(1, _ -> 0);
    for (int i = 0; i < 20; i++) {
      meter.writeFailed(i, "the connection " + i + " was lost", i);
    }
    meter.writeFailed(21, said, 21);
    meter.writeFailed(22, "the server does not answer", 22);
    List<String> notes =
        new OnlineNotes(JOB, meter, new FullDisk()).all(false, List.of(), List.of());
    assertThat(notes.getFirst())
        .isEqualTo("The target's disk is full. Make room there, and run it again.");
    assertThat(notes).anyMatch(note -> note.contains(said));
  }

  /// It may come with the sums only, which DuckDB writes for the comparison.
  @Test
  void aDiskThatIsFullWhenAllIsAddedUpIsToldToo() {
    OnlineNotes notes = new OnlineNotes(JOB, new RunMeter(1, _ -> 0), new FullDisk());
    notes.add("Nobody says that the disk is full.");
    assertThat(notes.all(false, List.of(), List.of())).hasSize(1);
    notes.failed("The sums could not be compared: duckdb:/x.duckdb: the disk is full.");
    assertThat(notes.all(false, List.of(), List.of()))
        .hasSize(3)
        .first()
        .isEqualTo("The target's disk is full. Make room there, and run it again.");
  }

  /// As on a disk of PostgreSQL's that its log has filled: no client was told why it ended.
  @Test
  void aDiskOnThisMachineThatIsFullIsSeenThoughTheServerSaysNothing() {
    RunMeter meter = new RunMeter(1, _ -> 0);
    FullDisk disk = new FullDisk();
    disk.look(List.of(new HostFigures.Home("target", "/dev/full-or-not", "x", List.of())));
    disk.look(List.of(new HostFigures.Home("target", "/proc", "proc", List.of())));
    OnlineNotes notes = new OnlineNotes(JOB, meter, disk);
    assertThat(notes.all(false, List.of(), List.of())).as("nothing failed").isEmpty();
    meter.writeFailed(3, "the connection was refused", 3);
    assertThat(notes.all(false, List.of(), List.of()).getFirst())
        .isEqualTo(
            "The target's disk is full: 0 kB are left under /proc."
                + " Make room there, and run it again.");
  }
}
