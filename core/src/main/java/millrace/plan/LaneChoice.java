package millrace.plan;

import millrace.data.ColumnsPool;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.TargetDescription;

/// Settles how many lanes a copy has, or how many it may try. Pure, but for the machine's size.
record LaneChoice(
    Job job, SourceDescription source, TargetDescription target, boolean limits, long splitBytes) {

  private static final int LANES_MAX = 256;

  /// The most that a run tries by itself: so many for each processor, and so many in all.
  private static final int TRIED_PER_PROCESSOR = 2;

  private static final int TRIED_MAX = 16;

  /// A source of this size takes long enough to begin with few lanes and to find out how many are
  /// best. Smaller ones begin with one for each processor.
  private static final long LARGE_BYTES = 1L << 30;

  private static final int LARGE_FIRST = 2;

  /// About what a lane holds at most, in batches: those on their way with their text, and buffers.
  private static final int LANE_BATCHES = 16;

  /// Lanes that were asked for, or that every processor has, may hold this part of it each.
  private static final int LANE_FILL = 2;

  /// Its buffers stay as large, however small batches are.
  private static final long LANE_BYTES_MIN = 7L << 20;

  /// Settles it.
  ///
  /// @param limits whether the engine limits rows
  /// @param splitBytes about how many bytes of the source one split holds
  /// @throws Fault.User if too many are asked for
  static Lanes lanes(
      Job job,
      SourceDescription source,
      TargetDescription target,
      boolean limits,
      long splitBytes) {
    return new LaneChoice(job, source, target, limits, splitBytes).lanes();
  }

  private Lanes lanes() {
    int requested = job.tuning().lanes();
    if (requested > LANES_MAX) {
      throw new Fault.User(
          requested + " lanes are more than " + LANES_MAX + ".",
          "Ask for at most " + LANES_MAX + ".");
    }
    if (requested > 0) {
      // What stands against more lanes does so for whoever has asked for no more.
      LaneLimit possible = most(LANES_MAX);
      int used = Math.min(requested, possible.max());
      String why =
          requested > used
              ? fewer(requested, possible)
              : used == possible.max() ? possible.why() : "";
      return Lanes.fixed(used, why);
    }
    LaneLimit first = most(Lanes.oneEachProcessor());
    if (!source.size().cuts()) {
      return Lanes.fixed(first.max(), first.why());
    }
    LaneLimit tried = most(triedMax()).and(forHeap(1));
    if (tried.max() <= first.max()) {
      return Lanes.fixed(tried.max(), tried.why());
    }
    boolean large = source.size().bytes() >= LARGE_BYTES;
    return new Lanes(
        large ? Math.min(LARGE_FIRST, first.max()) : first.max(), tried.max(), tried.why());
  }

  /// Settles how many splits other processes work on at once.
  ///
  /// @param most for how many they have room
  static Lanes processes(Plan plan, int most, long splitBytes) {
    int requested = plan.job().tuning().lanes();
    LaneChoice choice =
        new LaneChoice(plan.job(), plan.source(), plan.target(), plan.limits(), splitBytes);
    LaneLimit limit = choice.ends(requested > 0 ? Math.min(requested, most) : most);
    return Lanes.fixed(limit.max(), limit.why());
  }

  private static int triedMax() {
    return Math.min(TRIED_MAX, TRIED_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
  }

  /// How many lanes half of the heap has room for.
  ///
  /// @param fill which part of a full lane each is taken to hold: few hold as much as they may
  private static LaneLimit forHeap(int fill) {
    long heap = Runtime.getRuntime().maxMemory();
    long laneBytes = Math.max(LANE_BYTES_MIN, LANE_BATCHES * ColumnsPool.batchBytes() / fill);
    int most = Math.clamp(heap / 2 / laneBytes, 1, LANES_MAX);
    return new LaneLimit(
        most,
        "the heap of "
            + (heap >> 20)
            + " MB has room for no more; MILLRACE_HEAP="
            + (heap >> 19)
            + "m gives more");
  }

  private static String fewer(int requested, LaneLimit used) {
    return requested + " lanes asked, " + used.max() + " used: " + used.why();
  }

  /// How many lanes are possible, and what stands against more.
  private LaneLimit most(int wanted) {
    return ends(wanted).and(forHeap(LANE_FILL));
  }

  /// How many the ends and the job allow.
  private LaneLimit ends(int wanted) {
    LaneLimit most = new LaneLimit(wanted, "");
    if (job.tuning().ordered()) {
      most = most.and(new LaneLimit(1, "rows were asked for in source order"));
    }
    if (limits) {
      most = most.and(new LaneLimit(1, "the source can't limit rows by itself"));
    }
    most = most.and(source.lanes());
    most = most.and(target.lanes());
    if (source.size().bytes() >= 0) {
      long splits = Math.max(1, Math.ceilDiv(source.size().bytes(), splitBytes));
      int large = (int) Math.min(LANES_MAX, splits);
      most = most.and(new LaneLimit(large, "the source is small"));
    }
    return most;
  }
}
