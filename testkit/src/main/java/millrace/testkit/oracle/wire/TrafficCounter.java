package millrace.testkit.oracle.wire;

import java.util.concurrent.atomic.AtomicLong;

/// What passed between one client and the server, as a server counts it for its statistics.
///
/// @param received bytes from the client, packet headers included
/// @param sent bytes to the client, packet headers included
/// @param roundTrips how often an answer was sent
public record TrafficCounter(AtomicLong received, AtomicLong sent, AtomicLong roundTrips) {
  public TrafficCounter() {
    this(new AtomicLong(), new AtomicLong(), new AtomicLong());
  }
}
