package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies from or into a database that somebody deletes meanwhile.
class CouchGoneTest extends DocumentsInCouch {

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void aCopyWhoseDatabaseIsDeletedAndMadeAgainMeanwhileIsNotSaidToBeComplete(Mode mode) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          boolean isNow = request.isOf("/_bulk_docs") && requests.incrementAndGet() == 20;
          if (isNow) {
            server.drop("to");
            server.put("to");
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
    if (mode == Mode.APPEND) {
      server.put("to");
    }
    ResumableCopy copy = copy(from(), to(), mode, 1);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("somebody has deleted the database meanwhile");
  }

  /// Deletes a database when a copy has begun to write.
  private void dropWhileWritten(String database) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          if (request.isOf("/_bulk_docs") && requests.incrementAndGet() == 20) {
            server.drop(database);
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void nothingIsSaidToStayInADatabaseThatWasDeletedMeanwhile(Mode mode) {
    dropWhileWritten("to");
    if (mode != Mode.CREATE) {
      server.put("to");
    }
    ResumableCopy copy = copy(from(), to(), mode, 1);
    Ran run =
        copy.failing(Fault.External.class, "is gone: somebody has deleted the database meanwhile");
    assertThat(run.meter().rowsDurable()).isZero();
    assertThat(run.kept()).isFalse();
    assertThat(run.leaves()).contains("Documents of this copy may be in a database of that name");
    // It would be another's by now.
    long deletions = mode == Mode.TRUNCATE ? 1 : 0;
    assertThat(server.requests("/to").stream().filter(each -> each.method().equals("DELETE")))
        .hasSize((int) deletions);
    copy.run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void aSourceThatIsDeletedMeanwhileIsSaidToBeGone() {
    dropWhileWritten("from");
    assertThatThrownBy(copy(from(), to())::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("/from is gone: somebody has deleted the database meanwhile");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceThatIsDeletedAndMadeAgainMeanwhileIsNotSaidToBeCopied(boolean changes) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          if (request.isOf("/_bulk_docs") && requests.incrementAndGet() == 10) {
            server.makeAnew("from", document(1, 2));
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
    ResumableCopy copy = copy(from("changes", Boolean.toString(changes)), to());
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("was deleted and made again while it was read");
  }

  @Test
  void aSourceThatWasDeletedAndMadeAgainSinceIsRefusedByChangesToo() {
    ResumableCopy copy = copy(from("changes", "true"), to());
    copy.killAfter(12);
    server.makeAnew(
        "from",
        IntStream.range(0, 2 * DOCUMENTS).mapToObj(i -> document(i, 2)).toArray(String[]::new));
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was made anew since")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--fresh");
  }
}
