package millrace.testkit.oracle.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/// The character set of a database's VARCHAR2. That of NVARCHAR2 is AL16UTF16 in all of them.
public enum DatabaseCharset {
  AL32UTF8(873, StandardCharsets.UTF_8),
  US7ASCII(1, StandardCharsets.US_ASCII),
  WE8ISO8859P1(31, StandardCharsets.ISO_8859_1),
  WE8MSWIN1252(178, Charset.forName("windows-1252")),
  UTF8(871, Charset.forName("CESU-8")),
  JA16SJIS(832, Charset.forName("windows-31j"));

  private final int id;
  private final Charset charset;

  DatabaseCharset(int id, Charset charset) {
    this.id = id;
    this.charset = charset;
  }

  /// Oracle's number of the character set of texts of that form.
  public int id(CharForm form) {
    return form == CharForm.DATABASE ? id : form.charsetId();
  }

  /// How texts of that form become bytes.
  public Charset of(CharForm form) {
    return form == CharForm.DATABASE ? charset : form.charset();
  }

  /// Which form CLOBs travel in: a character is as long as another in both.
  public CharForm ofLobs() {
    return this == US7ASCII || this == WE8ISO8859P1 || this == WE8MSWIN1252
        ? CharForm.DATABASE
        : CharForm.NATIONAL;
  }

  /// What is left of a text in it: it replaces what it lacks.
  public String kept(String text) {
    return new String(text.getBytes(charset), charset);
  }
}
