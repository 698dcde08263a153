package millrace.cli.option;

import millrace.resume.ResumeChoice;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/// The options of a copy that say what becomes of an earlier one that was cut off.
public final class ResumeOptions {

  /// One of the two, or neither.
  static final class Earlier {

    @Option(
        names = "--resume",
        description = {
          "Go on with the same copy where it was cut off, or begin. Once it is complete, the same"
              + " command does nothing.",
        })
    private boolean resume;

    @Option(
        names = "--fresh",
        description =
            "Forget that the same copy was begun or is complete, and begin; rows that it has added"
                + " stay.")
    private boolean fresh;
  }

  @ArgGroup private Earlier earlier = new Earlier();

  /// What is to become of it.
  public ResumeChoice choice() {
    if (earlier.resume) {
      return ResumeChoice.RESUME;
    }
    return earlier.fresh ? ResumeChoice.FRESH : ResumeChoice.NONE;
  }
}
