package millrace.connectors.file.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.Decoding;
import millrace.data.spelling.JsonGrammar;

/// The first documents of a file of JSON Lines, to see what they hold.
public final class FirstDocuments {

  private static final int COUNT_MAX = 1_000;

  private FirstDocuments() {}

  /// Those that the file's sample has whole, in UTF-8; lines that are none are left out.
  public static List<byte[]> of(FileHead head) {
    List<byte[]> documents = new ArrayList<>();
    byte[] bytes = head.sample().bytes;
    int end = head.sample().end;
    int at = head.textDataStart();
    while (at < end && documents.size() < COUNT_MAX) {
      int lineEnd = at;
      while (lineEnd < end && bytes[lineEnd] != head.syntax().lineByte) {
        lineEnd++;
      }
      byte[] document = Arrays.copyOfRange(bytes, at, lineEnd);
      if (head.decoding() == Decoding.VALUES) {
        document = new String(document, head.dialect().charset()).getBytes(StandardCharsets.UTF_8);
      }
      if (new JsonGrammar().follow(document, 0, document.length) == JsonGrammar.Result.DOCUMENT) {
        documents.add(document);
      }
      at = lineEnd + 1;
    }
    return documents;
  }
}
