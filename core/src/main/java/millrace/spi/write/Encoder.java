package millrace.spi.write;

import java.util.function.Consumer;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.spi.read.Split;

/// Turns columns into the bytes that a target's writer passes on.
///
/// One for each lane. It is called on the reader's thread, right after a batch was read, while its
/// values are in that processor's caches; the writer's thread then only has bytes to move.
public interface Encoder {

  /// The rows that follow are of this split.
  void start(Split split);

  /// Encodes the rows and releases the batch, also if it throws. Gives frames away as they fill,
  /// the last before it returns.
  void encode(Columns batch, Consumer<Frames> out);
}
