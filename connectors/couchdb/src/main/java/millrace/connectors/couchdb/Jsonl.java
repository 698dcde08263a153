package millrace.connectors.couchdb;

import millrace.data.Form;
import millrace.spi.read.RecordFile;

/// The form in which documents cross untouched: JSON Lines, as the file connector spells that.
public final class Jsonl {

  /// A document a line; U+0001 never occurs in JSON, so that a line is one field.
  public static final Form FORM =
      new Form(
          "csv", "delimiter=\u0001;quote=;escape=;null=;newline=LF;header=false;charset=UTF-8");

  /// Documents that are set aside: one a line.
  public static final RecordFile RECORDS = new RecordFile(new byte[0], new byte[] {'\n'});

  private Jsonl() {}

  /// Copies a document as one line, line end included; returns the index after it.
  ///
  /// @param out has room for the document and its line end
  public static int put(byte[] document, int start, int end, byte[] out, int at) {
    int length = end - start;
    System.arraycopy(document, start, out, at, length);
    for (int i = at; i < at + length; i++) {
      if (out[i] == '\n' || out[i] == '\r') {
        // Only white space between values can be a line end.
        out[i] = ' ';
      }
    }
    out[at + length] = '\n';
    return at + length + 1;
  }
}
