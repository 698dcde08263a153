package millrace.testkit.oracle.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/// Which of the database's two character sets a text is in.
public enum CharForm {
  /// Not a text.
  NONE(0, 0, StandardCharsets.UTF_8),
  /// The database's character set, AL32UTF8.
  DATABASE(1, 873, StandardCharsets.UTF_8),
  /// The national character set, AL16UTF16.
  NATIONAL(2, 2000, StandardCharsets.UTF_16BE);

  private final int code;
  private final int charsetId;
  private final Charset charset;

  CharForm(int code, int charsetId, Charset charset) {
    this.code = code;
    this.charsetId = charsetId;
    this.charset = charset;
  }

  public int code() {
    return code;
  }

  /// Oracle's number of the character set.
  public int charsetId() {
    return charsetId;
  }

  public Charset charset() {
    return charset;
  }

  public static CharForm of(int code) {
    return switch (code) {
      case 1 -> DATABASE;
      case 2 -> NATIONAL;
      default -> NONE;
    };
  }
}
