package millrace.connectors.file.io;

import millrace.fault.Fault;

/// Bytes of one file in order, for one thread.
public interface ByteFeed extends AutoCloseable {

  /// Reads up to that many bytes, at least one.
  ///
  /// @return how many, or -1 at the end
  /// @throws Fault.External if the file can't be read, naming it
  int read(byte[] into, int at, int length);

  /// How many bytes of the file itself were taken so far, compressed ones if it is compressed.
  long taken();

  @Override
  void close();

  /// Fills the array from `at` up to `end`, or as far as the bytes go; returns where it stopped.
  default int fill(byte[] into, int at, int end) {
    int filled = at;
    while (filled < end) {
      int count = read(into, filled, end - filled);
      if (count < 0) {
        return filled;
      }
      filled += count;
    }
    return filled;
  }
}
