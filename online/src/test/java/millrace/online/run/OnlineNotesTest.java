package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.online.Jobs;
import millrace.online.job.OnlineJob;
import millrace.online.load.WriteListener;
import millrace.online.report.Series;
import org.junit.jupiter.api.Test;

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
    return new OnlineNotes(JOB, meter).all(false, List.of(pauses), List.of());
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
    OnlineNotes notes = new OnlineNotes(JOB, new RunMeter(1, _ -> 0));
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
}
