package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import millrace.copy.SharedMoment;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.testkit.suite.InterruptedRunSuite;
import millrace.testkit.suite.KeptDefinitionSuite;
import millrace.testkit.suite.OneStateSuite;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs that end early, kept definitions, and one state, on a real Kudu.
class KuduRunsSuiteTest extends KuduFixture
    implements InterruptedRunSuite, KeptDefinitionSuite, OneStateSuite {

  /// Scan tokens have no moment then.
  @ParameterizedTest
  @ValueSource(strings = {"latest", "yours"})
  void whatIsNotReadAtASnapshotIsNotReadBySeveralProcesses(String read) {
    Endpoint table = tenRows("not_at_snapshot").with("read", read);
    try (SharedMoment moment = endOpener().moment(table);
        Source source = connector().source(moment.end(), Selection.ALL, new OpenContext())) {
      SourceDescription described = source.describe(new ColumnRequest.Typed()).description();
      assertThatThrownBy(() -> moment.check(described))
          .isInstanceOf(Fault.User.class)
          .hasMessageEndingWith(
              " can't be read by several processes: it is not read at a snapshot.");
    }
  }
}
