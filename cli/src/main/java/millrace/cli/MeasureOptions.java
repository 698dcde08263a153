package millrace.cli;

import picocli.CommandLine.Option;

/// What is measured beyond what every run is.
final class MeasureOptions {

  @Option(
      names = "--profile",
      description =
          "Record which methods take the processor time (Java Flight Recorder, a sample every 10"
              + " ms); the report lists those of 10 %% and more with their callers, and the"
              + " recording is kept beside it.")
  boolean profile;
}
