package millrace.testkit.suite;

import millrace.spi.Endpoint;
import millrace.testkit.jdbc.JdbcFaults;

/// The process dies, as a database sees it whose URL stands in the endpoint.
///
/// @param faults harms its connections
public record JdbcDeaths(JdbcFaults faults) implements Deaths {

  /// Of connections under a name of their own.
  public static JdbcDeaths of(String name) {
    return new JdbcDeaths(JdbcFaults.of(name));
  }

  @Override
  public Endpoint through(Endpoint table) {
    return new Endpoint(
        table.scheme(), faults.url(table.location()), table.parameters(), table.secret());
  }

  @Override
  public long statements() {
    return faults.statements();
  }

  @Override
  public void dieAfter(long more) {
    faults.dieAfter(more);
  }

  @Override
  public void revive() {
    faults.revive();
  }
}
