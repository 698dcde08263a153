package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import millrace.connectors.postgres.codec.RowBuffer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Rows that are taken past the driver: nothing is lost, whatever else comes between them and
/// however the bytes arrive.
class MessageInputTest {

  private static final String OTHERS = "CZNEHtDS";

  /// A connection that gives as many bytes at a time as it likes, and now and then a timeout.
  private static final class Arriving extends InputStream {
    private final ByteArrayInputStream bytes;
    private final Random random;
    private final int chunk;
    private final boolean timesOut;

    Arriving(byte[] bytes, Random random, int chunk, boolean timesOut) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.random = random;
      this.chunk = chunk;
      this.timesOut = timesOut;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (timesOut && random.nextInt(4) == 0) {
        throw new SocketTimeoutException();
      }
      return bytes.read(into, from, Math.min(length, 1 + random.nextInt(chunk)));
    }
  }

  private record Sent(byte[] all, byte[] rows, byte[] others, int count) {}

  private static Sent messages(Random random, int count, int greetings) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    ByteArrayOutputStream others = new ByteArrayOutputStream();
    for (int i = 0; i < greetings; i++) {
      all.write('N');
      others.write('N');
    }
    int rowCount = 0;
    for (int i = 0; i < count; i++) {
      boolean row = i > 0 && random.nextInt(10) > 0;
      byte[] body =
          new byte[random.nextInt(50) == 0 ? random.nextInt(400_000) : random.nextInt(200)];
      random.nextBytes(body);
      byte type =
          (byte) (i == 0 ? 'R' : row ? 'd' : OTHERS.charAt(random.nextInt(OTHERS.length())));
      byte[] head = ByteBuffer.allocate(5).put(type).putInt(body.length + 4).array();
      all.writeBytes(head);
      all.writeBytes(body);
      if (row) {
        rows.writeBytes(body);
        rowCount++;
      } else {
        others.writeBytes(head);
        others.writeBytes(body);
      }
    }
    return new Sent(all.toByteArray(), rows.toByteArray(), others.toByteArray(), rowCount);
  }

  @Property(tries = 200)
  void rowsAndAllElseComeApartWhole(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int count,
      @ForAll @IntRange(max = 2) int greetings)
      throws IOException {
    Random random = new Random(seed);
    Sent sent = messages(random, count, greetings);
    int chunk = random.nextBoolean() ? 7 : 300_000;
    MessageInput input = new MessageInput(new Arriving(sent.all(), random, chunk, false), 0);
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    ByteArrayOutputStream others = new ByteArrayOutputStream();
    RowBuffer buffer = new RowBuffer(1 + random.nextInt(50), 1 + random.nextInt(5_000));
    byte[] part = new byte[1_000];
    int taken = 0;
    while (true) {
      buffer.begin(new byte[random.nextInt(300)]);
      input.takeRows(buffer, 0);
      rows.write(buffer.bytes, 0, buffer.end);
      taken += buffer.rows();
      if (!buffer.hasRoom()) {
        continue;
      }
      int read = input.read(part, 0, 1 + random.nextInt(part.length));
      if (read < 0) {
        break;
      }
      others.write(part, 0, read);
    }
    assertThat(taken).isEqualTo(sent.count());
    assertThat(rows.toByteArray()).isEqualTo(sent.rows());
    assertThat(others.toByteArray()).isEqualTo(sent.others());
  }

  @Property(tries = 100)
  void whoTakesNoRowsGetsTheStreamAsItIs(
      @ForAll long seed, @ForAll @IntRange(max = 40) int count, @ForAll boolean encrypted)
      throws IOException {
    Random random = new Random(seed);
    byte[] sent = messages(random, count, 1).all();
    if (encrypted) {
      sent[0] = 'S';
    }
    MessageInput input = new MessageInput(new Arriving(sent, random, 50_000, true), 0);
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    byte[] part = new byte[5_000];
    while (true) {
      try {
        int read = input.read(part, 0, part.length);
        if (read < 0) {
          break;
        }
        got.write(part, 0, read);
      } catch (SocketTimeoutException _) {
        assertThat(got.size()).isLessThanOrEqualTo(sent.length);
      }
    }
    assertThat(got.toByteArray()).isEqualTo(sent);
    assertThat(input.seesRows()).isEqualTo(!encrypted && count > 0);
  }

  @Example
  void aReadEndsWhereAMessageEnds() throws IOException {
    byte[] sent = "R\0\0\0\bokokH\0\0\0\4d\0\0\0\7row".getBytes(StandardCharsets.ISO_8859_1);
    MessageInput input = new MessageInput(new ByteArrayInputStream(sent), 0);
    byte[] part = new byte[100];
    assertThat(input.read(part, 0, 100)).isEqualTo(9);
    assertThat(input.read(part, 0, 100)).isEqualTo(5);
    RowBuffer rows = new RowBuffer(10, 100);
    rows.begin(new byte[0]);
    input.takeRows(rows, 0);
    assertThat(new String(rows.bytes, 0, rows.end, StandardCharsets.ISO_8859_1)).isEqualTo("row");
  }

  /// PostgreSQL sends 8 kB at a time. Who reads less than three quarters of what is under way
  /// leaves it asleep.
  @Example
  void oneReadWakesAServerThatWaitsForRoom() throws IOException {
    Path folder = Files.createTempDirectory("millrace-");
    Path file = folder.resolve("socket");
    byte[] row = new byte[8 << 10];
    ByteBuffer.wrap(row).put((byte) 'd').putInt(row.length - 1);
    try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        UnixSocket socket = new UnixSocket(file)) {
      listening.bind(UnixDomainSocketAddress.of(file));
      socket.connect(UnixDomainSocketAddress.of(file), 0);
      try (SocketChannel server = listening.accept()) {
        // Linux doubles it: that is what sockets have of themselves.
        server.setOption(StandardSocketOptions.SO_SNDBUF, 104 << 10);
        server.configureBlocking(false);
        server.write(ByteBuffer.wrap("R\0\0\0\4".getBytes(StandardCharsets.ISO_8859_1)));
        while (server.write(ByteBuffer.wrap(row)) > 0) {}
        assertThat(canWrite(server)).isFalse();

        MessageInput input = new MessageInput(socket.getInputStream(), 0);
        assertThat(input.read(new byte[9], 0, 9)).isEqualTo(5);

        assertThat(canWrite(server)).isTrue();
      }
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  private static boolean canWrite(SocketChannel to) throws IOException {
    try (Selector selector = Selector.open()) {
      to.register(selector, SelectionKey.OP_WRITE);
      return selector.selectNow() > 0;
    }
  }

  @Example
  void aConnectionThatEndsWithinARowIsSaidTo() throws IOException {
    byte[] sent = "R\0\0\0\4d\0\0\0\7ro".getBytes(StandardCharsets.ISO_8859_1);
    MessageInput input = new MessageInput(new ByteArrayInputStream(sent), 0);
    assertThat(input.read(new byte[9], 0, 9)).isEqualTo(5);
    RowBuffer rows = new RowBuffer(10, 100);
    rows.begin(new byte[0]);
    assertThatThrownBy(() -> input.takeRows(rows, 0)).isInstanceOf(EOFException.class);
  }
}
