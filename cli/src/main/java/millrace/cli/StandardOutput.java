package millrace.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/// The process's standard output as a stream that can say why something was not written to it,
/// which a {@link PrintStream} keeps to itself. Any thread.
final class StandardOutput extends PrintStream {

  private final Remembering remembering;

  StandardOutput(Charset charset) {
    this(new Remembering(new FileOutputStream(FileDescriptor.out)), charset);
  }

  private StandardOutput(Remembering remembering, Charset charset) {
    super(remembering, true, charset);
    this.remembering = remembering;
  }

  /// Why something that was printed did not get there; null if all did.
  @Nullable IOException failure() {
    flush();
    return remembering.failure;
  }

  private static final class Remembering extends FilterOutputStream {

    private volatile @Nullable IOException failure;

    private Remembering(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      try {
        out.write(bytes, start, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
