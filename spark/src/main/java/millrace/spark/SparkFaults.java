package millrace.spark;

import millrace.fault.Fault;

/// What Spark says of a job that could not be done, as a fault. What goes wrong with a split is a
/// result of its task; here are executors that were lost, or never came.
final class SparkFaults {

  private static final int LINE_MAX = 300;

  private SparkFaults() {}

  /// The fault that it stands for.
  ///
  /// @param cancelled whether the job was stopped from here
  static Fault of(Exception e, boolean cancelled) {
    String words = words(e);
    if (cancelled) {
      return new Fault.Cancelled("the job was stopped");
    }
    if (words.contains("UnsupportedClassVersionError")) {
      return new Fault.User(
          "The cluster's executors run an older Java than 25.",
          "Name a JDK of 25 or later that all of its machines have: --conf"
              + " spark.executorEnv.JAVA_HOME=/usr/lib/jvm/…");
    }
    if (words.contains("SparkContext was shut down") || words.contains("stopped SparkContext")) {
      return new Fault.External(
          "The cluster has ended the application.", "Its master's page says why.", e);
    }
    return new Fault.Transient(
        "An executor was lost: " + firstLine(words), "Its log on the cluster says why.", 0, e);
  }

  private static String words(Throwable e) {
    StringBuilder words = new StringBuilder();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      words.append(cause).append('\n');
    }
    return words.toString();
  }

  private static String firstLine(String words) {
    String line = words.lines().findFirst().orElse("");
    return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + " …";
  }
}
