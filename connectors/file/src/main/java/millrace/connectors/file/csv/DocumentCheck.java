package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.Decoding;
import millrace.data.spelling.JsonGrammar;
import millrace.data.spelling.JsonGrammar.Result;

/// Looks at the lines of a block of JSON Lines, whoever takes them and in whatever form: one that
/// is no document is a bad record, and one of blanks is left out. One thread.
final class DocumentCheck {

  private final FileHead head;
  private final RejectMessages rejectMessages;
  private final JsonGrammar grammar = new JsonGrammar();

  DocumentCheck(FileHead head, RejectMessages rejectMessages) {
    this.head = head;
    this.rejectMessages = rejectMessages;
  }

  /// Looks at all records that are not bad already; their text is known to be of the charset.
  ///
  /// @param asIs whether lines cross as they are, and not as values of a column
  void check(BatchBuffers batchBuffers, int rows, BlockRejects blockRejects, boolean asIs) {
    byte[] bytes = batchBuffers.textBuffer.bytes;
    for (int row = 0; row < rows; row++) {
      int start = batchBuffers.recordStarts[row];
      int end = head.syntax().contentEnd(bytes, start, batchBuffers.recordEnds[row]);
      Result result = isMissing(bytes, start, end) ? Result.DOCUMENT : follow(bytes, start, end);
      if (result == Result.DOCUMENT || blockRejects.rows.get(row)) {
        continue;
      }
      if (isBlank(bytes, start, end)) {
        blockRejects.leaveOut(row);
      } else {
        int wrong = head.decoding() == Decoding.VALUES ? start : grammar.at();
        blockRejects.add(
            batchBuffers,
            row,
            rejectMessages.noDocument(batchBuffers.textBuffer, start, end, wrong, result, asIs));
      }
    }
  }

  /// Bytes of other charsets may be taken for a quote or a backslash.
  private Result follow(byte[] bytes, int start, int end) {
    if (head.decoding() != Decoding.VALUES || Swar.isAscii(bytes, start, end)) {
      return grammar.follow(bytes, start, end);
    }
    byte[] text =
        new String(bytes, start, end - start, head.dialect().charset())
            .getBytes(StandardCharsets.UTF_8);
    return grammar.follow(text, 0, text.length);
  }

  private boolean isMissing(byte[] bytes, int start, int end) {
    return start < end && head.syntax().isNull(bytes, start, end);
  }

  private static boolean isBlank(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      if (bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != CsvSyntax.CR) {
        return false;
      }
    }
    return true;
  }
}
