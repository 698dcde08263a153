package millrace.connectors.postgres.read;

import java.io.IOException;
import java.sql.SQLException;
import millrace.connectors.postgres.codec.BinaryDecoder;
import millrace.connectors.postgres.codec.RowBuffer;
import millrace.connectors.postgres.net.MessageInput;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/// The rows of one COPY TO STDOUT, each a message of the server's: straight from the socket if that
/// can be read, otherwise, and whatever is no plain row, by the driver. One thread.
public final class RowStream {

  /// The trailer of a binary COPY has as many bytes as a row without columns: the count of them.
  private static final int TRAILER_BYTES = 2;

  private final CopyOut copy;
  private final @Nullable MessageInput wire;
  private final boolean binary;
  private boolean begun;
  private boolean ended;

  /// @param copy just begun
  /// @param wire what the connection's driver reads from, or null if it can't be read
  /// @param binary whether rows come in the binary form, with a header and a trailer
  public RowStream(CopyOut copy, @Nullable MessageInput wire, boolean binary) {
    this.copy = copy;
    this.wire = wire;
    this.binary = binary;
  }

  /// Adds rows until the batch is full or there are no more.
  void fill(RowBuffer into) throws SQLException {
    while (into.hasRoom() && !ended) {
      if (begun && wire != null) {
        take(wire, into);
      }
      if (into.hasRoom()) {
        takeNext(into);
      }
    }
  }

  private void take(MessageInput rows, RowBuffer into) throws SQLException {
    try {
      rows.takeRows(into, binary ? TRAILER_BYTES + 1 : 0);
    } catch (IOException e) {
      throw new PSQLException(
          "An I/O error occurred while reading rows.", PSQLState.CONNECTION_FAILURE, e);
    }
  }

  private void takeNext(RowBuffer into) throws SQLException {
    byte[] message = copy.readFromCopy();
    if (message == null) {
      ended = true;
      return;
    }
    int header = binary && !begun ? BinaryDecoder.headerLength(message) : 0;
    begun = true;
    if (!binary || !BinaryDecoder.isEnd(message, header)) {
      into.add(message, header);
    }
  }
}
