package millrace.spi;

/// What a lane's thread is doing. Reader threads pass through the first, writer threads through the
/// last; waiting for each other is the queue wait, waiting for other lanes the turn.
public enum Stage {
  READ("read", "waiting for and taking in the source's bytes"),
  DECOMPRESS("decompress", "compressed bytes into those that were compressed"),
  PARSE("parse", "bytes into typed columns"),
  FILTER("filter", "waiting for the filter's program"),
  CONVERT("convert", "columns into the target's types, filters"),
  REJECT("reject", "setting bad records aside"),
  ENCODE("encode", "columns into the target's bytes"),
  COMPRESS("compress", "making the target's bytes fewer"),
  SEND("send", "handing bytes to the target"),
  SERVER_WAIT("server wait", "waiting for a server or an embedded database"),
  COMMIT("commit", "making rows durable"),
  TURN("turn", "waiting until other lanes have written what comes before"),
  QUEUE_WAIT("queue wait", "waiting for the other half of the lane");

  private final String label;
  private final String meaning;

  Stage(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /// Whether a thread in it waits for another thread of the run, and so neither works nor waits for
  /// an end.
  public boolean waitsForLanes() {
    return this == TURN || this == QUEUE_WAIT;
  }

  /// The name in reports.
  public String label() {
    return label;
  }

  /// What the time was spent on, for the report's legend.
  public String meaning() {
    return meaning;
  }
}
