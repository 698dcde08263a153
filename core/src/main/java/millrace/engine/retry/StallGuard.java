package millrace.engine.retry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;

/// Watches what comes before a run: ends that are opened, a copy that is planned. It says what of
/// others' that waits for, and ends it if that takes longer than the user wants to wait.
///
/// Any thread, several at once.
public final class StallGuard {

  private final RetryPolicy retryPolicy;
  private final Consumer<String> teller;
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /// @param teller is told of each wait once, as a sentence without its end, from a thread that
  ///   only looks
  public StallGuard(RetryPolicy retryPolicy, Consumer<String> teller) {
    this.retryPolicy = retryPolicy;
    this.teller = teller;
  }

  /// Does work on this thread.
  ///
  /// @param doing what is being done, as the beginning of a sentence
  /// @param waiting what does it
  /// @throws millrace.fault.Fault.Transient if it has waited for others for too long
  public <T> T get(String doing, Blockable waiting, Supplier<T> work) {
    return StallWatch.watched(
        retryPolicy.stallTimeout(), () -> look(doing, waiting), waiting::cancel, work);
  }

  private @Nullable String look(String doing, Blockable waiting) {
    String waitsFor = waiting.waitsFor();
    if (waitsFor == null) {
      return null;
    }
    String sentence = doing + " and waits for " + waitsFor;
    if (reported.add(sentence)) {
      teller.accept(sentence);
    }
    return sentence;
  }
}
