package millrace.cli;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/// A verb that can tell programs in lines of JSON how it goes. {@link Millrace} tells them the
/// fault that ended it.
public interface EmitsJson {

  /// Where the lines go, or null if nobody asked for any.
  @Nullable PrintStream json();
}
