package millrace.io.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import millrace.spi.store.StoredObject;

/// A range of a file in a store, fetched in blocks of which some are on their way while one is
/// used: one connection alone brings fewer bytes than there is room for. One thread reads it.
final class RangeStream extends InputStream {

  private static final int BLOCK_BYTES = 4 << 20;

  /// The first block is short: who wants to see only how a file goes on does not wait for more.
  private static final int FIRST_BYTES = 1 << 20;

  /// With the one that is used this is what a reader holds.
  private static final int BLOCKS_AHEAD = 3;

  /// Bytes that have come.
  ///
  /// @param restedNanos see {@link StoreClient#range}
  private record Block(byte[] bytes, int length, long restedNanos) {}

  private final StoreClient store;
  private final StoredObject file;
  private final long to;
  private final Deque<FutureTask<Block>> coming = new ArrayDeque<>();

  /// Arrays that nobody uses: large ones are costly to make.
  private final Deque<byte[]> free = new ArrayDeque<>();

  /// Where the next block begins that has not been asked for.
  private long next;

  private boolean isBegun;

  private Block block = new Block(new byte[0], 0, 0);
  private int at;

  RangeStream(StoreClient store, StoredObject file, long from, long to) {
    this.store = store;
    this.file = file;
    this.to = to;
    next = from;
  }

  /// How many requests it takes to read such a range to its end.
  static long requests(long from, long to) {
    return from >= to ? 0 : 1 + Math.ceilDiv(Math.max(0, to - from - FIRST_BYTES), BLOCK_BYTES);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int start, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == block.length() && !advance()) {
      return -1;
    }
    int count = Math.min(length, block.length() - at);
    System.arraycopy(block.bytes(), at, into, start, count);
    at += count;
    return count;
  }

  private boolean advance() throws IOException {
    ask(isBegun ? BLOCKS_AHEAD : 1, isBegun ? BLOCK_BYTES : FIRST_BYTES);
    isBegun = true;
    FutureTask<Block> first = coming.pollFirst();
    if (first == null) {
      return false;
    }
    Block used = block;
    long begun = System.nanoTime();
    block = await(first);
    store.waits().limit(System.nanoTime() - begun, block.restedNanos());
    if (used.bytes().length == BLOCK_BYTES) {
      free.addLast(used.bytes());
    }
    at = 0;
    return true;
  }

  private void ask(int blocks, int blockBytes) {
    while (coming.size() < blocks && next < to) {
      long from = next;
      int length = (int) Math.min(blockBytes, to - from);
      byte[] taken = blockBytes == BLOCK_BYTES ? free.pollFirst() : null;
      byte[] bytes = taken == null ? new byte[Math.min(blockBytes, length)] : taken;
      FutureTask<Block> fetching =
          new FutureTask<>(() -> {
            long rested = store.range(file, from, bytes, length);
            return new Block(bytes, length, rested);
          });
      Thread.ofVirtual().name("range").start(fetching);
      coming.addLast(fetching);
      next += length;
    }
  }

  private static Block await(FutureTask<Block> fetching) throws IOException {
    try {
      return fetching.get();
    } catch (InterruptedException e) {
      throw StoreClient.interrupted(e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failed -> throw failed;
        case RuntimeException failed -> throw failed;
        case Error failed -> throw failed;
        case null, default -> throw new IOException(e.getCause());
      }
    }
  }

  @Override
  public void close() {
    coming.forEach(each -> each.cancel(true));
    coming.clear();
  }
}
