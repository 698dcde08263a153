package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What a process ends with.
final class StopTest {

  @Test
  void withoutASignalItIsTheCommandsOwnCode() {
    assertThat(new Stop().ended(ExitCode.OK.number())).isZero();
    assertThat(new Stop().ended(ExitCode.DATA.number())).isEqualTo(ExitCode.DATA.number());
  }

  @Test
  void aSignalThatCameWhenAllWasDoneIsNoStopAndOneThatStoppedTheCommandIs() {
    assertThat(stoppedWhile().ended(ExitCode.OK.number())).isZero();
    assertThat(stoppedWhile().ended(ExitCode.STOPPED.number())).isEqualTo(143);
    assertThat(stoppedWhile().ended(ExitCode.EXTERNAL.number())).isEqualTo(143);
  }

  /// A stop whose first signal has come.
  private static Stop stoppedWhile() {
    Stop stop = new Stop();
    stop.noteSignal(143);
    return stop;
  }
}
