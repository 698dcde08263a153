package millrace.connectors.stores;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The bytes of an answer, of which it is known how many there are. If they were all read when it
/// is closed, its connection is kept for the next request; else it is not waited for the rest.
///
/// One thread at a time.
public final class AnswerBody extends FilterInputStream {

  private static final Logger LOG = LoggerFactory.getLogger(AnswerBody.class);

  private long left;

  /// @param body as the JDK's client has it
  public AnswerBody(InputStream body, long bytes) {
    super(body);
    left = bytes;
  }

  @Override
  public int read() throws IOException {
    int next = super.read();
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = super.read(into, offset, length);
    left -= Math.max(0, count);
    return count;
  }

  /// The client gives up a connection if it is not asked for what comes after the last byte.
  @Override
  public void close() throws IOException {
    try (InputStream body = in) {
      left = left == 0 ? body.read() : left;
    } catch (IOException e) {
      LOG.debug("a connection broke behind the last byte", e);
    }
  }
}
