package millrace.connectors.file.csv;

/// Finds where records end without looking at their fields: what cuts one file into splits, and
/// what steps over a record that is too long to hold. It follows the rules of {@link Tokenizer}.
/// One thread.
public abstract sealed class RecordScanner permits QuotedScanner, EscapedScanner {

  long records;
  long lines;
  boolean endsOpen;
  boolean endsInQuotes;

  /// The scanner of a syntax.
  ///
  /// @param width how many fields a record has; it decides whether blank lines are records
  public static RecordScanner of(CsvSyntax syntax, int width) {
    return syntax.escapes ? new EscapedScanner(syntax, width) : new QuotedScanner(syntax, width);
  }

  /// Records that ended so far, good or bad; blank lines only if they are records.
  public long records() {
    return records;
  }

  /// Lines that ended so far, those inside quotes included.
  public long lines() {
    return lines;
  }

  /// Whether the last scan stopped between two records.
  public abstract boolean atBoundary();

  /// Whether the source ended within a record, before its line end.
  public boolean endsOpen() {
    return endsOpen;
  }

  /// Whether it ended within quotes.
  public boolean endsInQuotes() {
    return endsInQuotes;
  }

  /// Goes on from `from`. Stops behind the first record that ends at `enough` or later, or where
  /// the bytes are used up.
  ///
  /// @param last whether the source ends at `to`
  /// @return where it stopped; the bytes from there on must come again at the front of the next
  ///   buffer (no more than a few, unless it stopped at a boundary)
  public abstract int scan(byte[] bytes, int from, int to, int enough, boolean last);
}
