package millrace.spi.read;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Where in its resource a split lies.
public sealed interface Position extends Serializable {

  /// A range in the source's own measure: bytes, blocks, rows.
  ///
  /// @param from where it starts
  /// @param to where it ends, exclusive; {@link Long#MAX_VALUE} for the end of the resource
  record Range(long from, long to) implements Position {}

  /// The rows whose key lies in a range, whatever type it has.
  ///
  /// @param from the least key, spelled as text; null if there is no lower bound
  /// @param to the key that ends it, exclusive; null if there is no upper bound
  record KeyRange(@Nullable String from, @Nullable String to) implements Position {}

  /// What only the connector understands, such as a scan token of a server.
  ///
  /// @param bytes what it understands; nobody changes them
  /// @param from the first row of it that is meant, from 0
  /// @param to the row behind the last, or {@link Long#MAX_VALUE}
  record Token(byte[] bytes, long from, long to) implements Position {}
}
