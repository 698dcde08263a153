package millrace.connectors.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.connectors.postgres.TestDatabase;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.AtEnd;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;

/// Who else is at work at the same copy.
class PostgresJournalTest {

  private static final TestDatabase DATABASE = TestDatabase.make();

  private static Session session() {
    return new ConnectionFactory(DATABASE.table("orders"), _ -> null).connect();
  }

  private static PostgresJournal journal(Session session) {
    return new PostgresJournal(
        () -> session,
        PostgresJournalTest::session,
        AtEnd.NONE,
        QualifiedName.parse("public.orders"),
        false,
        Duration.ofMillis(50));
  }

  @Test
  void twoProcessesCanNotDoTheSameCopyAtOnce() {
    try (Session first = session();
        Session second = session()) {
      journal(first).take("a job");
      journal(second).take("another job");
      assertThatThrownBy(() -> journal(second).take("a job"))
          .isInstanceOfSatisfying(
              Fault.User.class, fault -> assertThat(fault.advice()).contains("--resume"))
          .hasMessage("The same copy is under way already, in another process.");
    }
    try (Session third = session()) {
      // The first process has ended.
      journal(third).take("a job");
    }
  }

  @Test
  void copiesThatBeginAtTheSameMomentAllFindAJournal() throws Exception {
    int copies = 4;
    try (ExecutorService threads = Executors.newFixedThreadPool(copies);
        Session own = session()) {
      for (int round = 0; round < 20; round++) {
        own.execute("DROP TABLE IF EXISTS public.millrace_journal");
        CyclicBarrier start = new CyclicBarrier(copies);
        Callable<Boolean> copy =
            () -> {
              try (Session session = session()) {
                start.await();
                PostgresJournal journal = journal(session);
                journal.table().make(session, journal.locks());
                return journal.table().isThere(session);
              }
            };
        for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(copies, copy))) {
          assertThat(each.get()).isTrue();
        }
      }
      own.execute("DROP TABLE public.millrace_journal");
    }
  }
}
