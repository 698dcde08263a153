package millrace.testkit.oracle.call;

import java.io.IOException;
import java.util.Arrays;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// The call that reads, writes, makes and frees LOBs. Amounts of CLOBs are characters.
final class LobCall {

  private static final int LENGTH = 0x1;
  private static final int READ = 0x2;
  private static final int TRIM = 0x20;
  private static final int WRITE = 0x40;
  private static final int CREATE = 0x110;
  private static final int FREE = 0x111;
  private static final int CHUNK = 0x4000;
  private static final int OPEN = 0x8000;
  private static final int CLOSE = 0x10000;
  private static final int IS_OPEN = 0x11000;
  private static final int CHUNK_BYTES = 8132;

  private final CallContext context;

  LobCall(CallContext context) {
    this.context = context;
  }

  /// What is asked for.
  ///
  /// @param kind of a LOB to be made: the destination's offset
  /// @param charset whether a character set came, and is to be sent back
  /// @param nullFlag whether a flag is wanted at the end
  private record Request(
      int operation,
      byte[] source,
      int offset,
      int kind,
      @Nullable Integer charset,
      @Nullable Long amount,
      boolean nullFlag,
      byte[] data) {}

  private Request read() throws IOException, BreakException {
    TtcInput in = context.in();
    in.pointer();
    int sourceBytes = in.ub();
    in.pointer();
    int targetBytes = in.ub();
    in.ubs(2);
    boolean hasCharset = in.pointer();
    in.pointer();
    boolean nullFlag = in.pointer();
    int operation = in.ub();
    in.pointer();
    int scns = in.ub();
    int offset = in.ub();
    int targetOffset = in.ub();
    boolean hasAmount = in.pointer();
    in.skip(6);
    byte[] source = in.bytes(sourceBytes);
    if (operation != CREATE) {
      in.skip(targetBytes);
    }
    Integer charset = hasCharset ? Integer.valueOf(in.ub()) : null;
    in.ubs(scns);
    Long amount = hasAmount ? Long.valueOf(in.ubLong()) : null;
    byte[] data = null;
    if (operation == WRITE) {
      in.u1();
      data = in.clr();
    }
    return new Request(
        operation,
        source,
        offset,
        targetOffset,
        charset,
        amount,
        nullFlag,
        data == null ? new byte[0] : data);
  }

  /// A piggyback that frees several LOBs; it has no answer.
  void free() throws IOException, BreakException {
    byte[] source = read().source();
    int size = LobStore.LOCATOR_BYTES;
    for (int from = 0; from + size <= source.length; from += size) {
      context.lobs().free(Arrays.copyOfRange(source, from, from + size));
    }
  }

  void run() throws IOException, BreakException, OraException {
    Request request = read();
    context.fault(ServerCall.LOB_OPERATION, "");
    TtcOutput out = new TtcOutput();
    byte[] source = request.source();
    long amount = request.amount() == null ? 0 : request.amount();
    if (request.operation() == CREATE) {
      byte[] locator = context.lobs().create(TtcType.of(request.kind()));
      source = Arrays.copyOf(locator, source.length);
    } else {
      amount = operate(request, amount, out);
    }
    context.log(new LogEvent.LobOperation(context.session().id(), request.operation(), amount));
    out.u1(TtcMessage.PARAMETERS).raw(source);
    if (request.charset() != null) {
      out.ub(request.charset());
    }
    if (request.amount() != null) {
      out.ub(amount);
    }
    if (request.nullFlag()) {
      out.u1(0);
    }
    context.finish(out);
  }

  /// Carries out an operation on a LOB.
  ///
  /// @return the amount that the answer has
  private long operate(Request request, long amount, TtcOutput out) throws OraException {
    LobStore.Lob lob = context.lobs().find(request.source());
    if (lob == null) {
      throw new OraException(22922, "nonexistent LOB value");
    }
    int unit = lob.bytesOfUnit();
    int from = (request.offset() - 1) * unit;
    return switch (request.operation()) {
      case LENGTH -> lob.bytes.length / unit;
      case CHUNK -> CHUNK_BYTES;
      case READ -> {
        int start = Math.min(from, lob.bytes.length);
        int end = (int) Math.min(start + amount * unit, lob.bytes.length);
        if (end > start) {
          out.u1(TtcMessage.LOB_DATA).clr(Arrays.copyOfRange(lob.bytes, start, end));
        }
        yield (end - start) / unit;
      }
      case WRITE -> {
        byte[] data = request.data();
        int size = Math.max(lob.bytes.length, from + data.length);
        lob.bytes = Arrays.copyOf(lob.bytes, size);
        System.arraycopy(data, 0, lob.bytes, from, data.length);
        yield amount;
      }
      case TRIM -> {
        lob.bytes = Arrays.copyOf(lob.bytes, (int) amount * unit);
        yield amount;
      }
      case FREE -> {
        context.lobs().free(request.source());
        yield amount;
      }
      case OPEN, CLOSE, IS_OPEN -> amount;
      default ->
          throw OraException.unsupported("the LOB operation " + request.operation(), "a call");
    };
  }
}
