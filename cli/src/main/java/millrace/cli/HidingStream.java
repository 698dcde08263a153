package millrace.cli;

import java.io.PrintStream;
import millrace.text.HiddenValues;

/// A stream on which some values are shown as the user spelled them, in what is printed; bytes pass
/// as they are. Any thread.
final class HidingStream extends PrintStream {

  /// How a line for programs begins.
  private static final String JSON = "{\"";

  private final HiddenValues hidden;

  HidingStream(PrintStream stream, HiddenValues hidden) {
    super(stream, true, stream.charset());
    this.hidden = hidden;
  }

  @Override
  public void print(String text) {
    super.print(shown(String.valueOf(text)));
  }

  @Override
  public void print(Object thing) {
    super.print(shown(String.valueOf(thing)));
  }

  private String shown(String text) {
    return text.startsWith(JSON) ? hidden.inStrings(text) : hidden.in(text);
  }
}
