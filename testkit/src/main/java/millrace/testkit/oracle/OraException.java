package millrace.testkit.oracle;

import java.util.Locale;

/// An error of the server's, with the code and the text that Oracle has for it.
public final class OraException extends Exception {

  private final int code;

  public OraException(int code, String text) {
    super(String.format(Locale.ROOT, "ORA-%05d: %s", code, text));
    this.code = code;
  }

  public OraException(int code, String text, Throwable cause) {
    this(code, text);
    initCause(cause);
  }

  /// Oracle has such a statement, or ends like this, but the stand-in does not know it: the text
  /// names what was sent.
  public static OraException unsupported(String what, String sql) {
    return new OraException(
        3001, "unimplemented feature: the stand-in does not know " + what + " in: " + sql);
  }

  public int code() {
    return code;
  }

  /// The message without its code.
  public String text() {
    String all = String.valueOf(getMessage());
    return all.substring(all.indexOf(": ") + 2);
  }
}
