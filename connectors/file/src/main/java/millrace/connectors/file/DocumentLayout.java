package millrace.connectors.file;

import java.nio.file.Path;
import millrace.connectors.file.io.Compression;
import millrace.data.spelling.JsonGrammar;
import millrace.data.spelling.JsonGrammar.Result;
import millrace.fault.Fault;

/// Recognises a file of JSON that has not a document a line: an array of documents, or documents
/// that are spread over lines.
final class DocumentLayout {

  private static final String LINES_ENDING = "(?i)\\.(jsonl|ndjson)$";

  private DocumentLayout() {}

  /// Looks at how a file begins.
  ///
  /// @throws Fault.User if its first document takes several lines, or is an array of objects and
  ///   all that the file has
  static void check(FileHead head) {
    byte[] bytes = head.sample().bytes;
    int end = head.sample().end;
    int start = behindBlanks(bytes, head.textDataStart(), end);
    int lineEnd = start;
    while (lineEnd < end && bytes[lineEnd] != head.syntax().lineByte) {
      lineEnd++;
    }
    boolean isAlone = behindBlanks(bytes, lineEnd, end) == end;
    boolean isArray = start < end && bytes[start] == '[';
    JsonGrammar grammar = new JsonGrammar();
    Result line = grammar.follow(bytes, start, lineEnd);
    if (line == Result.DOCUMENT) {
      int first = isArray ? behindBlanks(bytes, start + 1, lineEnd) : lineEnd;
      if (isAlone && head.file().sampleIsAll() && first < lineEnd && bytes[first] == '{') {
        throw refusal(head, true);
      }
    } else if (line == Result.BEGINNING && !isAlone) {
      Result all = grammar.follow(bytes, start, end);
      boolean resumes = all == Result.BEGINNING && (isArray || !head.file().sampleIsAll());
      if (all == Result.DOCUMENT || all == Result.MORE || resumes) {
        throw refusal(head, isArray);
      }
    }
  }

  private static int behindBlanks(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] >= 0 && Character.isWhitespace(bytes[at])) {
      at++;
    }
    return at;
  }

  private static Fault.User refusal(FileHead head, boolean isArray) {
    String name = head.file().name();
    Path path = head.file().path();
    boolean packed = head.file().compression() != Compression.NONE;
    String from = path == null || packed ? "" : " " + quoted(name);
    String bare =
        path == null ? "documents" : Compression.plainName(String.valueOf(path.getFileName()));
    String into =
        bare.matches(".*" + LINES_ENDING)
            ? bare.replaceFirst(LINES_ENDING, "-lines.jsonl")
            : bare.replaceFirst("(?i)\\.json$", "") + ".jsonl";
    return new Fault.User(
        name
            + (isArray
                ? " is one JSON array"
                : " is pretty-printed JSON, with documents over several lines")
            + ", and not a document a line.",
        "Write each document on a line of its own"
            + (packed ? ", from the decompressed file" : "")
            + ":\n    jq -c "
            + (isArray ? "'.[]'" : ".")
            + from
            + " > "
            + quoted(into));
  }

  /// As a shell takes it for one word.
  private static String quoted(String name) {
    return name.matches("[\\w./-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
