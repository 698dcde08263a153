package millrace.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.spi.TuningHint;
import millrace.text.RecordJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Earlier runs, and what copies found best for each pair of ends, in a folder of the user's and
/// those below. The oldest runs go once there are more than {@link #RUNS_MAX}. Copies of jobs have
/// a folder of their own, so that a job of many tables pushes no other run out. What was found
/// stays.
public final class RunStore {

  /// How many runs are kept.
  public static final int RUNS_MAX = 1000;

  /// How many copies of jobs are kept beside them.
  public static final int JOB_COPIES_MAX = 2000;

  private static final Logger LOG = LoggerFactory.getLogger(RunStore.class);

  /// Of recordings that earlier versions kept beside the reports.
  private static final String PROFILE_ENDING = ".jfr";

  private final JsonFolder<Report> runs;
  private final JsonFolder<Report> jobCopies;
  private final JsonFolder<TuningHint> found;
  private final JsonFolder<String> marks;

  /// A store in that folder, which is made when the first run is kept.
  public RunStore(Path folder) {
    runs = new JsonFolder<>(folder, Report.class, "a report of a run");
    jobCopies =
        new JsonFolder<>(folder.resolve("jobs"), Report.class, "a report of a copy of a job");
    found = new JsonFolder<>(folder.resolve("found"), TuningHint.class, "what a copy found");
    marks = new JsonFolder<>(folder.resolve("marks"), String.class, "how far a copy is");
  }

  /// A report as one line of JSON.
  public static String json(Report report) {
    return RecordJson.SNAKE_CASE.line(report);
  }

  /// Keeps a report.
  ///
  /// @throws IOException if the folder can't be written
  public void keep(Report report) throws IOException {
    runs.keep(report.header().id(), report);
    runs.keepNewest(RUNS_MAX, PROFILE_ENDING);
  }

  /// Keeps the report of a copy that is one of a job's.
  ///
  /// @throws IOException if the folder can't be written
  public void keepOfJob(Report report) throws IOException {
    jobCopies.keep(report.header().id(), report);
    jobCopies.keepNewest(JOB_COPIES_MAX, PROFILE_ENDING);
  }

  /// Remembers what a copy found best between its ends, if it was one and found something.
  ///
  /// @param method in which of its ways the target took the rows; empty if it has one
  /// @throws IOException if the folder can't be written
  public void remember(Report report, String method) throws IOException {
    TuningHint now = report.concurrency().found();
    if (report.header().outcome().equals("ok") && !now.equals(TuningHint.NOTHING)) {
      String from = report.job().from();
      String to = report.job().to();
      found.keep(pair(from, to, method), now.or(found(from, to, method)));
    }
  }

  /// What copies between two ends have found best so far.
  ///
  /// @param from the source's label
  /// @param to the target's label
  /// @param method in which of its ways the target takes rows; empty if it has one
  public TuningHint found(String from, String to, String method) {
    String pair = pair(from, to, method);
    try {
      return found.has(pair) ? found.read(pair) : TuningHint.NOTHING;
    } catch (Fault.External e) {
      // It is found again.
      LOG.debug("{} to {}", from, to, e);
      return TuningHint.NOTHING;
    }
  }

  /// Remembers how far an incremental copy is whose target can't tell.
  ///
  /// @param job names it
  /// @throws IOException if the folder can't be written
  public void keepMark(String job, String mark) throws IOException {
    marks.keep(job, mark);
  }

  /// How far it is; null if it has not been complete yet.
  public @Nullable String mark(String job) {
    return marks.has(job) ? marks.read(job) : null;
  }

  private static String pair(String from, String to, String method) {
    return Digest.of(from + "\n" + to + (method.isEmpty() ? "" : "\n" + method)).hex();
  }

  /// A run that was kept.
  ///
  /// @param id its name
  /// @param report what it did, or null if its file can't be read
  public record StoredRun(String id, @Nullable Report report) {}

  /// The last runs, oldest first.
  ///
  /// @param most how many
  public List<StoredRun> last(int most) {
    List<String> all =
        Stream.concat(runs.ids().stream(), jobCopies.ids().stream()).sorted().toList();
    return all.subList(Math.max(0, all.size() - most), all.size()).stream()
        .map(this::stored)
        .toList();
  }

  private StoredRun stored(String id) {
    try {
      return new StoredRun(id, read(id));
    } catch (Fault.External _) {
      return new StoredRun(id, null);
    }
  }

  private Report read(String id) {
    return jobCopies.has(id) ? jobCopies.read(id) : runs.read(id);
  }

  /// The names of runs that begin so; for `last` the newest alone.
  private List<String> ids(String beginning) {
    List<String> all =
        Stream.concat(runs.ids(beginning).stream(), jobCopies.ids(beginning).stream())
            .sorted()
            .toList();
    return beginning.equals("last") ? all.subList(Math.max(0, all.size() - 1), all.size()) : all;
  }

  /// One run, by its name or by as many of its letters as no other begins with; `last` is the
  /// newest.
  ///
  /// @throws Fault.User if there is none, or several
  public Report find(String id) {
    List<String> ids = ids(id);
    if (ids.size() == 1) {
      return read(ids.getFirst());
    }
    throw new Fault.User(
        ids.isEmpty() ? "There is no run " + id + "." : "Several runs begin with " + id + ".",
        "`millrace runs` lists them.");
  }
}
