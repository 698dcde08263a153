package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import millrace.engine.retry.RetryPolicy;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.ConnectionFaultSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeFaultSuite;
import org.junit.jupiter.api.Test;

/// Copies that meet faults and go on, in a real PostgreSQL.
class PostgresResumeFaultSuiteTest extends PostgresResumeFixture
    implements ConnectionFaultSuite, ResumeFaultSuite {

  private static final RetryPolicy AT_ONCE =
      new RetryPolicy(Duration.ofMinutes(5), Duration.ZERO, Duration.ofNanos(1_000), Duration.ZERO);

  /// The server goes on with a COMMIT that it has, though nobody waits for it any more: a deferred
  /// constraint takes its time.
  @Test
  void aCommitThatIsStillUnderWayIsWaitedFor() {
    List<Row> rows = rows(1_000, ROWS);
    write(schema(), List.of(), table("slow"));
    DATABASE.sql(
        """
        CREATE FUNCTION %1$s.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_sleep(0.2);
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON %1$s.slow DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW WHEN (NEW.id %% 60 = 0) EXECUTE FUNCTION %1$s.dawdle();
        """
            .formatted(schema));
    try (FaultyProxy proxy = proxy()) {
      ResumableCopy copy = copy(rows, through(proxy, table("slow")), Mode.APPEND);
      // Behind the statement that writes the receipt down.
      proxy.loseClientAfter("\0 COMMIT\0".getBytes(StandardCharsets.ISO_8859_1));
      Ran run = copy.patience(AT_ONCE).run();
      assertThat(run.meter().retries()).isNotEmpty();
      assertThat(run.meter().rows()).isEqualTo(ROWS);
      assertHolds(rows, "slow", copy);
    }
  }
}
