package millrace.report.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import millrace.fault.Fault;
import millrace.report.JsonFolder;
import org.jspecify.annotations.Nullable;

/// Earlier sweeps, and a page of each, in a folder of the user's. The oldest go once there are more
/// than {@link #SWEEPS_MAX}.
public final class SweepStore {

  /// How many sweeps are kept: each holds the reports of all its copies.
  public static final int SWEEPS_MAX = 100;

  private static final String PAGE_ENDING = ".html";

  private final JsonFolder<Sweep> sweeps;

  /// A store in that folder, which is made when the first sweep is kept.
  public SweepStore(Path folder) {
    sweeps = new JsonFolder<>(folder, Sweep.class, "a sweep");
  }

  /// Keeps a sweep.
  ///
  /// @throws IOException if the folder can't be written
  public void keep(Sweep sweep) throws IOException {
    sweeps.keep(sweep.id(), sweep);
    sweeps.keepNewest(SWEEPS_MAX, PAGE_ENDING);
  }

  /// Where a sweep's page is kept: beside it, and as long.
  public Path page(String id) {
    return sweeps.sibling(id, PAGE_ENDING);
  }

  /// Whether there is one of exactly that name.
  public boolean has(String id) {
    return sweeps.has(id);
  }

  /// The one sweep whose name begins so, or null if there is none; `last` is the newest.
  ///
  /// @throws Fault.User if there are several
  public @Nullable Sweep find(String id) {
    List<String> ids = sweeps.ids(id);
    if (ids.size() > 1) {
      throw new Fault.User("Several sweeps begin with " + id + ".", "Write more of its name.");
    }
    return ids.isEmpty() ? null : sweeps.read(ids.getFirst());
  }
}
