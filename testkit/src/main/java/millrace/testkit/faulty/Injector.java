package millrace.testkit.faulty;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import millrace.fault.Fault;
import millrace.fault.Location;
import org.jspecify.annotations.Nullable;

/// Carries a plan out and keeps count. Threads share it.
public final class Injector {

  private static final long DELAY_NANOS_MAX = 2_000_000;

  /// A call that did not pass untouched.
  ///
  /// @param site where
  /// @param split number of the split, or -1
  /// @param call which call for that split, from 0
  /// @param kind what was done
  public record Injected(FaultPlan.Site site, int split, long call, FaultPlan.Kind kind) {}

  private record Place(FaultPlan.Site site, int split) {}

  private final FaultPlan plan;
  private final Map<Place, AtomicLong> calls = new ConcurrentHashMap<>();
  private final List<Injected> injected = new ArrayList<>();
  private final CompletableFuture<Void> hanging = new CompletableFuture<>();

  Injector(FaultPlan plan) {
    this.plan = plan;
  }

  /// Goes before every call.
  ///
  /// @param cancelled opened by the cancel of the reader or writer, or null if there is none
  void strike(FaultPlan.Site site, int split, @Nullable CountDownLatch cancelled) {
    AtomicLong counter = calls.computeIfAbsent(new Place(site, split), _ -> new AtomicLong());
    long call = counter.getAndIncrement();
    FaultPlan.Kind kind = plan.decide(site, split, call);
    if (kind == null) {
      return;
    }
    synchronized (injected) {
      injected.add(new Injected(site, split, call, kind));
    }
    String message = "injected into " + site + " " + call + " of split " + split;
    switch (kind) {
      case TRANSIENT -> throw new Fault.Transient(message, "", 1, new IllegalStateException());
      case EXTERNAL -> throw new Fault.External(message, "", null);
      case DATA -> throw new Fault.Data(message, "", new Location("injected", split, 0, 0, -1));
      case DELAY -> LockSupport.parkNanos(1 + call * 777_777 % DELAY_NANOS_MAX);
      case HANG -> hang(message, cancelled);
    }
  }

  private void hang(String message, @Nullable CountDownLatch cancelled) {
    if (cancelled == null) {
      throw new IllegalStateException("nothing could end the hang " + message);
    }
    hanging.complete(null);
    try {
      cancelled.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    throw new Fault.Cancelled(message);
  }

  CompletableFuture<Void> hangs() {
    return hanging;
  }

  List<Injected> injected() {
    synchronized (injected) {
      return injected.stream()
          .sorted(
              Comparator.comparing(Injected::site)
                  .thenComparingInt(Injected::split)
                  .thenComparingLong(Injected::call))
          .toList();
    }
  }
}
