package millrace.cli;

import millrace.resume.ResumeState;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// The options of a copy that say what becomes of an earlier one that was cut off.
final class ResumeOptions {

  /// One of the two, or neither.
  static final class Earlier {

    @Option(
        names = "--resume",
        description = {
          "Go on with the same copy where it was cut off, by whatever: what has been committed is"
              + " not copied again. Where there is nothing to go on with, copy from the start. The"
              + " same command on the same source does nothing once it is complete.",
        })
    private boolean resume;

    @Option(
        names = "--fresh",
        description =
            "Forget that the same copy was begun, or is complete, and copy from the start; rows"
                + " that it has added to a target stay there.")
    private boolean fresh;
  }

  @ArgGroup private Earlier earlier = new Earlier();

  /// What is to become of it.
  ResumeState.Choice choice() {
    if (earlier.resume) {
      return ResumeState.Choice.RESUME;
    }
    return earlier.fresh ? ResumeState.Choice.FRESH : ResumeState.Choice.NONE;
  }
}
