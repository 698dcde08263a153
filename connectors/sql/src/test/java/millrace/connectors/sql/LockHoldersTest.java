package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.junit.jupiter.api.Test;

/// What is said of a server that can't be asked.
class LockHoldersTest {

  private static final String SILENCE = "the server, which does not answer any more";

  /// A server whose connections can't be opened, in the order of the reasons; then one can.
  private static Supplier<Connection> failing(Exception... reasons) {
    Queue<Exception> left = new ArrayDeque<>(List.of(reasons));
    return () -> {
      Exception reason = left.poll();
      if (reason != null) {
        throw Fault.Transient.unreachable("no connection", "", new SQLException("no", reason));
      }
      try {
        return DriverManager.getConnection("jdbc:h2:mem:");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  private static Blockable asking(Supplier<Connection> opening) {
    return new LockHolders(() -> Set.of(1L), opening, (_, _) -> "a lock")
        .alongside(new Blockable() {});
  }

  /// Something between the two, or the server while it starts, resets connections as they come: it
  /// is asked again, so that a silence that follows is seen.
  @Test
  void aConnectionThatIsResetIsNotTheLastToBeTried() {
    Blockable server =
        asking(
            failing(
                new SocketException("Connection reset"),
                new SocketTimeoutException("Read timed out"),
                new SocketException("Connection refused")));
    assertThat(server.waitsFor()).isNull();
    assertThat(server.waitsFor()).isEqualTo(SILENCE);
    assertThat(server.waitsFor()).isEqualTo(SILENCE);
    assertThat(server.waitsFor()).isEqualTo("a lock");
  }

  @Test
  void aServerThatSaysThatItCanNotTellIsNotAskedAgain() {
    Blockable server = asking(failing(new SQLException("no right")));
    assertThat(server.waitsFor()).isNull();
    assertThat(server.waitsFor()).isNull();
  }
}
