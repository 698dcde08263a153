package millrace.copy;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.read.KeyWindow;
import millrace.spi.read.KeyWindow.Pick;
import millrace.spi.read.Selection;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;
import org.jspecify.annotations.Nullable;

/// A copy of what has changed: the rows whose update key lies above the greatest one that the
/// target has, and not above the greatest one that the source has now. What changes while they are
/// read gets a key above that, and comes next time.
///
/// Rows appear in the target all at once, so that its own greatest key says how far it is, also
/// after a kill. If a target can't do that, as Kudu can't, rows are merged, which does no harm if
/// it is done twice, and how far they are is kept among the user's runs, once a copy is complete.
final class IncrementalCopy {

  private final CopyContext context;
  private final CopySpec spec;
  private final Increment increment;
  private final CopyListener listener;
  private final IncrementLook look;

  IncrementalCopy(CopyContext context, CopySpec spec, Increment increment, CopyListener listener) {
    this.context = context;
    this.spec = spec;
    this.increment = increment;
    this.listener = listener;
    look = new IncrementLook(context, spec, increment, listener);
  }

  /// Carries it out, chunk by chunk.
  CopyResult run() {
    IncrementLook.IncrementEnds found = look.find();
    Bounds bounds = bounds(found);
    CopyResult copied = bounds.step == null ? copy(found, bounds) : chunks(found, bounds);
    boolean deletes = spec.job().writeOptions().steps().deletes();
    return deletes && copied.fault() == null && found.isFilled()
        ? deleteGone(found, copied)
        : copied;
  }

  /// What is gone can't be seen by what has changed: the keys of all rows are read for it.
  private CopyResult deleteGone(IncrementLook.IncrementEnds found, CopyResult copied) {
    listener.says("What is new is copied. All keys are read now, to delete rows that are gone.");
    Job job = found.job();
    Selection keys = new Selection(found.key(), null, Long.MAX_VALUE);
    CopySpec deleting =
        new CopySpec(
            job.with(keys)
                .with(job.writeOptions().doing(MergeSteps.DELETE_ONLY))
                .with(job.mapping().of(found.key())),
            ResumeChoice.FRESH,
            spec.retryPolicy(),
            CopySpec.Measures.NONE);
    CopyResult result = Copy.run(context, deleting, listener);
    MergeCounts merged = result.outcome().merged();
    if (result.fault() != null || merged == null) {
      return result;
    }
    listener.says(
        String.format(Locale.ROOT, "%,d rows are deleted whose key is gone.", merged.deleted()));
    return copied;
  }

  /// Tells what its first part would do.
  CopyPreview preview() {
    IncrementLook.IncrementEnds found = look.find();
    return Copy.preview(context, part(found, next(found, bounds(found))), listener);
  }

  /// Between which values rows are copied.
  ///
  /// @param from null if there is no lower bound
  /// @param closed whether that value belongs to it
  /// @param to null if there are no rows
  /// @param step how much one copy takes; null if all
  /// @param without how many rows of the source have no key
  private record Bounds(
      @Nullable BigDecimal from,
      boolean closed,
      @Nullable BigDecimal to,
      @Nullable BigDecimal step,
      long without) {

    Bounds within(@Nullable BigDecimal otherFrom, boolean isClosed, @Nullable BigDecimal otherTo) {
      return new Bounds(otherFrom, isClosed, otherTo, step, without);
    }
  }

  private Bounds bounds(IncrementLook.IncrementEnds found) {
    KeyValues values = found.values();
    BigDecimal step = increment.chunk() == null ? null : values.step("--chunk", increment.chunk());
    if (step != null && step.signum() == 0) {
      throw new Fault.User("--chunk 0 takes no rows.", "Write for example --chunk 1d or 100000.");
    }
    BigDecimal overlap =
        increment.overlap() == null
            ? BigDecimal.ZERO
            : values.step("--overlap", increment.overlap());
    BigDecimal mark = look.mark(found);
    IncrementLook.SourceEnd end = look.sourceEnd(found, found.window(), Pick.GREATEST);
    BigDecimal last = end.value();
    BigDecimal to = mark == null || (last != null && last.compareTo(mark) > 0) ? last : mark;
    warnIfAhead(found, to);
    return new Bounds(
        mark == null ? null : mark.subtract(overlap),
        overlap.signum() > 0,
        to,
        step,
        end.without());
  }

  /// A single row with a wrong year would keep all others out for ever.
  private void warnIfAhead(IncrementLook.IncrementEnds found, @Nullable BigDecimal to) {
    KeyValues values = found.values();
    if (to != null && values.isAhead(to, Instant.now())) {
      listener.warns(
          "The greatest "
              + values.column()
              + " is "
              + values.text(to)
              + ", ahead of the clock: rows that change before that time are not copied any more."
              + " Correct such rows in the source and in the target, or delete them in the target"
              + " and leave them out of the source's with --where.");
    }
  }

  /// The first part of it. A gap is stepped over, however wide it is.
  private Bounds next(IncrementLook.IncrementEnds found, Bounds all) {
    if (all.step == null || all.to == null) {
      return all;
    }
    KeyWindow rest = window(found, all.within(all.from, all.closed, null), false);
    BigDecimal least = look.sourceEnd(found, rest, Pick.LEAST).value();
    BigDecimal to = (least == null ? all.to : least).add(all.step).min(all.to);
    return all.within(all.from, all.closed, to);
  }

  private CopyResult chunks(IncrementLook.IncrementEnds found, Bounds all) {
    KeyValues values = found.values();
    Bounds left = all;
    long rows = 0;
    long rejects = 0;
    while (true) {
      Bounds part = next(found, left);
      CopyResult result = copy(found, part).after(rows, rejects);
      if (result.fault() != null
          || part.to == null
          || part.to.compareTo(Objects.requireNonNull(all.to)) >= 0) {
        listener.says(String.format(Locale.ROOT, "%,d rows in all.", result.rows()));
        return result;
      }
      rows = result.rows();
      rejects = result.rejects();
      listener.says(
          String.format(
              Locale.ROOT,
              "%,d rows so far, by %s up to %s.",
              rows,
              found.window().column(),
              values.text(part.to)));
      left = all.within(part.to, false, all.to);
    }
  }

  private CopyResult copy(IncrementLook.IncrementEnds found, Bounds bounds) {
    CopyResult result = Copy.run(context, part(found, bounds), listener);
    if (result.fault() == null && bounds.to != null && !found.markName().isEmpty()) {
      keep(found, found.values().text(bounds.to));
    }
    return result;
  }

  private CopySpec part(IncrementLook.IncrementEnds found, Bounds bounds) {
    // Rows without a key are taken with the first ones, and never again. If rows of a copy that was
    // cut off stay, nobody knows which: all are merged once more.
    boolean isFirst = !found.isFilled() || !found.markName().isEmpty();
    KeyWindow window = window(found, bounds, bounds.from == null && isFirst);
    return new CopySpec(
        found.job().with(found.job().selection().within(window)),
        ResumeChoice.FRESH,
        spec.retryPolicy(),
        spec.measures());
  }

  private void keep(IncrementLook.IncrementEnds found, String mark) {
    try {
      context.runs().keepMark(found.markName(), mark);
    } catch (IOException e) {
      throw new Fault.External(
          "The rows are copied, but it could not be kept how far they are: " + e.getMessage() + ".",
          "The next copy reads them again, and merges them to the same end.",
          e);
    }
  }

  private static List<String> notes(
      IncrementLook.IncrementEnds found, long without, boolean taken) {
    String rows =
        String.format(Locale.ROOT, without == 1 ? "%,d row has" : "%,d rows have", without);
    String what = rows + " no " + found.window().column();
    return without == 0
        ? List.of()
        : List.of(
            taken
                ? what + ": copied now, and not again, whatever changes"
                : what + " and can't be told to be new: not copied");
  }

  private static KeyWindow window(
      IncrementLook.IncrementEnds found, Bounds bounds, boolean missing) {
    KeyValues values = found.values();
    return new KeyWindow(
        found.window().column(),
        found.window().type(),
        bounds.from == null ? null : values.text(bounds.from),
        bounds.closed,
        bounds.to == null ? null : values.text(bounds.to),
        missing,
        Pick.ALL,
        notes(found, bounds.without, missing));
  }
}
