package millrace.spark;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import millrace.cli.Millrace;

/// The driver of a copy on a cluster: the command line once more, whose splits the executors work
/// off. `spark-submit` starts it, and has been started by the command line itself.
///
/// The words of the command come by standard input, since arguments stand in the list of processes
/// and in the event log, and may hold a password. It stays open as long as the caller lives.
public final class Driver {

  private Driver() {}

  /// Starts it as a process.
  public static void main(String[] args) {
    DataInputStream in = new DataInputStream(System.in);
    String[] words = words(in);
    Millrace.main(words, new SparkCluster(), in);
  }

  private static String[] words(DataInputStream in) {
    try {
      String[] words = new String[in.readInt()];
      for (int i = 0; i < words.length; i++) {
        words[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException("the command did not come", e);
    }
  }
}
