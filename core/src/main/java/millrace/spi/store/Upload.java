package millrace.spi.store;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An object that is written in parts, which stay when the process ends. Several threads may put
/// parts at once.
public interface Upload {

  /// A part that the store has.
  ///
  /// @param number from 1; parts stand in this order in the object
  /// @param tag how the store knows its content
  record Part(int number, long bytes, String tag) {}

  /// What the object will be called.
  String key();

  /// By what another process finds it again.
  String id();

  /// The parts that the store has, by their numbers.
  List<Part> parts() throws IOException;

  /// Hands over a part, in the place of one of that number if there is one. All but the last have
  /// at least {@link #partBytesMin}.
  Part put(int number, byte[] bytes, int length) throws IOException;

  /// How short a part may be that is not the last.
  long partBytesMin();

  /// How many parts an object may have.
  int partsMax();

  /// Makes the object of those parts, and lets everybody see it.
  ///
  /// @param expected as for {@link ObjectStore#put}
  StoredObject complete(List<Part> parts, @Nullable String expected) throws IOException;

  /// Removes the parts. Nothing happens if it is gone.
  void abort() throws IOException;
}
