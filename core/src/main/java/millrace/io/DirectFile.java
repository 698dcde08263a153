package millrace.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A file that is there, opened past the system's cache if its file system can (O_DIRECT): the disk
/// takes bytes from our memory and the other way round, which saves the processor a copy, and what
/// others have in the cache stays there. Whoever opens it closes the channel.
///
/// @param channel if `direct`, every place in the file, every length and every address of memory
///   must be a multiple of {@link #ALIGNMENT_BYTES}
/// @param direct whether the cache is passed by
public record DirectFile(FileChannel channel, boolean direct) implements AutoCloseable {

  /// Enough for any disk; a file system that asks for more is written through its cache.
  public static final int ALIGNMENT_BYTES = 4096;

  /// O_DIRECT, which the JDK offers outside its official packages; null if it does not.
  private static final @Nullable OpenOption DIRECT = directOption();

  /// Opens it, through the cache if there is no other way.
  ///
  /// @throws IOException if it can't be opened at all
  public static DirectFile open(Path file, OpenOption... modes) throws IOException {
    if (DIRECT != null && Files.getFileStore(file).getBlockSize() <= ALIGNMENT_BYTES) {
      Set<OpenOption> options = new HashSet<>(Arrays.asList(modes));
      options.add(DIRECT);
      try {
        return new DirectFile(FileChannel.open(file, options), true);
      } catch (IOException | UnsupportedOperationException _) {
        // Memory's file systems refuse it, and whatever else is wrong is told below.
        return new DirectFile(FileChannel.open(file, modes), false);
      }
    }
    return new DirectFile(FileChannel.open(file, modes), false);
  }

  private static @Nullable OpenOption directOption() {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      for (Object option : options) {
        if (option instanceof OpenOption open && option.toString().equals("DIRECT")) {
          return open;
        }
      }
      return null;
    } catch (ClassNotFoundException _) {
      return null;
    }
  }

  /// Down to where a block begins.
  public static long alignedDown(long bytes) {
    return bytes & -ALIGNMENT_BYTES;
  }

  /// Up to where a block ends.
  public static long alignedUp(long bytes) {
    return alignedDown(bytes + ALIGNMENT_BYTES - 1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
