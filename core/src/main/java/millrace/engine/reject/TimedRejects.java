package millrace.engine.reject;

import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.write.Rejects;

/// Counts the time that one half of a lane takes to set bad records aside, also what it waits for
/// the other lanes there. On the threads that may enter stages of that clock.
public final class TimedRejects implements Rejects {

  private final Rejects rejects;
  private final StageClock clock;

  public TimedRejects(Rejects rejects, StageClock clock) {
    this.rejects = rejects;
    this.clock = clock;
  }

  @Override
  public boolean allowed() {
    return rejects.allowed();
  }

  @Override
  public String adviceIfNever() {
    return rejects.adviceIfNever();
  }

  @Override
  public void reject(Reject reject) {
    Stage before = clock.enter(Stage.REJECT);
    try {
      rejects.reject(reject);
    } finally {
      clock.enter(before);
    }
  }
}
