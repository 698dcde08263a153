package millrace.testkit.suite;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import millrace.spi.Endpoint;
import millrace.testkit.network.FaultyProxy;

/// The process dies, as a server sees it behind a proxy: what is counted are answers.
final class ProxyDeaths implements Deaths {

  private static final long AWAY_MILLIS = 50;

  private final JournaledSuite trial;
  private final FaultyProxy proxy;

  ProxyDeaths(JournaledSuite trial) {
    this.trial = trial;
    proxy = trial.proxy();
  }

  @Override
  public Endpoint through(Endpoint table) {
    return trial.through(proxy, table);
  }

  @Override
  public long statements() {
    return proxy.answers();
  }

  @Override
  public void dieAfter(long more) {
    proxy.afterAnswers(
        more,
        () -> {
          proxy.refuse(true);
          proxy.resetAll();
        });
  }

  /// The same, until some tries to connect have failed.
  void awayAfter(long more) {
    proxy.afterAnswers(
        more,
        () -> {
          proxy.refuse(true);
          proxy.resetAll();
          CompletableFuture.delayedExecutor(AWAY_MILLIS, TimeUnit.MILLISECONDS)
              .execute(this::revive);
        });
  }

  @Override
  public void revive() {
    proxy.disarm();
    proxy.refuse(false);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
