package millrace.connectors.postgres.write;

/// What a writer has sent of its split, and since its last commit. One thread.
public final class SplitCounts {

  private long rows;
  private long bytes;
  private long rowsSinceCommit;
  private long bytesSinceCommit;
  private long takenSinceCommit;

  /// A split begins.
  public void begin() {
    rows = 0;
    bytes = 0;
  }

  /// So many rows were sent.
  public void sentRows(int more) {
    rows += more;
    rowsSinceCommit += more;
  }

  /// So many bytes were sent.
  public void sentBytes(int more) {
    bytes += more;
    bytesSinceCommit += more;
  }

  /// The server says that it took so many rows.
  public void taken(long more) {
    takenSinceCommit += more;
  }

  /// So many of the rows that were sent are set aside.
  void refused(int fewer) {
    rows -= fewer;
    rowsSinceCommit -= fewer;
  }

  /// All that was sent has been committed.
  public void committed() {
    rowsSinceCommit = 0;
    bytesSinceCommit = 0;
    takenSinceCommit = 0;
  }

  /// Rows of the split.
  public long rows() {
    return rows;
  }

  /// Bytes of the split.
  public long bytes() {
    return bytes;
  }

  /// Rows since the last commit.
  public long rowsSinceCommit() {
    return rowsSinceCommit;
  }

  /// Rows since the last commit that were sent, and that the server has not taken.
  long leftOutSinceCommit() {
    return rowsSinceCommit - takenSinceCommit;
  }

  /// Bytes since the last commit.
  public long bytesSinceCommit() {
    return bytesSinceCommit;
  }

  /// Rows that the server took since the last commit.
  public long takenSinceCommit() {
    return takenSinceCommit;
  }
}
