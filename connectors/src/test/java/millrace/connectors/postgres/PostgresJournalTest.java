package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;

/// Who else is at work at the same copy.
class PostgresJournalTest {

  private static final TestDatabase DATABASE = TestDatabase.make();

  private static Session session() {
    return new Dialer(DATABASE.table("orders"), _ -> null).connect();
  }

  private static PostgresJournal journal(Session session) {
    return new PostgresJournal(
        session,
        PostgresJournalTest::session,
        TableName.parse("public.orders"),
        false,
        Duration.ofMillis(50));
  }

  @Test
  void twoProcessesCanNotDoTheSameCopyAtOnce() {
    try (Session first = session();
        Session second = session()) {
      assertThat(journal(first).find("a job")).isNull();
      assertThat(journal(second).find("another job")).isNull();
      assertThatThrownBy(() -> journal(second).find("a job"))
          .isInstanceOfSatisfying(
              Fault.User.class, fault -> assertThat(fault.advice()).contains("--resume"))
          .hasMessage("The same copy is under way already, in another process.");
    }
    try (Session third = session()) {
      assertThat(journal(third).find("a job")).as("the first process has ended").isNull();
    }
  }
}
