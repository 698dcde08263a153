package millrace.connectors.file.csv;

/// Finds where records end by the rules of {@link EscapedTokenizer}, to the byte. It uses up all
/// bytes that it is given, unless it has found what it looks for.
final class EscapedScanner extends RecordScanner {

  private final CsvSyntax syntax;
  private final boolean skipsBlank;
  private final byte escape;

  /// How many bytes of the record have gone by.
  private long recordBytes;

  /// The byte before was an escape, which takes the next one with it.
  private boolean inEscape;

  /// The byte before was a carriage return, with no escape before it.
  private boolean afterCr;

  /// The record is a comment, in which nothing has a meaning but the line end.
  private boolean inComment;

  /// The record begins with what an end mark begins with.
  private boolean beginsAsMark;

  EscapedScanner(CsvSyntax syntax, int width) {
    this.syntax = syntax;
    skipsBlank = syntax.skipsBlankLines(width);
    escape = syntax.escape[0];
  }

  @Override
  public boolean atBoundary() {
    return recordBytes == 0;
  }

  @Override
  public int scan(byte[] bytes, int from, int to, int enough, boolean last) {
    int at = from;
    while (at < to) {
      if (recordBytes == 0 && syntax.comment.length > 0) {
        if (!last && to - at < syntax.comment.length) {
          return at;
        }
        inComment = CsvSyntax.matches(syntax.comment, bytes, at, to);
      }
      if (inEscape) {
        escaped(bytes[at++]);
        continue;
      }
      int found =
          inComment
              ? Swar.indexOf(bytes, at, to, syntax.lineByte)
              : Swar.indexOf(bytes, at, to, escape, syntax.lineByte);
      if (found > at) {
        afterCr = bytes[found - 1] == CsvSyntax.CR;
        recordBytes += found - at;
        at = found;
      } else if (bytes[at] == escape) {
        inEscape = true;
        afterCr = false;
        recordBytes++;
        at++;
      } else {
        at++;
        line();
        if (recordBytes == 0 && at >= enough) {
          return at;
        }
      }
    }
    if (last && !atBoundary()) {
      endsOpen = true;
      endRecord(recordBytes);
    }
    return at;
  }

  private void escaped(byte each) {
    inEscape = false;
    lines += each == syntax.lineByte ? 1 : 0;
    beginsAsMark |= recordBytes == 1 && each == CsvSyntax.END_MARK;
    recordBytes++;
  }

  /// A byte that ends a line, with no escape before it.
  private void line() {
    lines++;
    if (syntax.strictCrLf && !afterCr) {
      recordBytes++;
    } else {
      endRecord(syntax.dropsCr && afterCr ? recordBytes - 1 : recordBytes);
    }
    afterCr = false;
  }

  private void endRecord(long content) {
    boolean isMark = beginsAsMark && content == 2;
    boolean isBlank = content == 0 && skipsBlank;
    records += isMark || isBlank || inComment ? 0 : 1;
    recordBytes = 0;
    inComment = false;
    inEscape = false;
    beginsAsMark = false;
  }
}
