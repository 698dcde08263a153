package millrace.connectors.couchdb.read;

import java.util.List;
import millrace.connectors.couchdb.json.Documents;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.connectors.json.Range;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How the documents of a part are asked for, page by page. One thread uses it.
interface Pages {

  /// A request for a page.
  ///
  /// @param body JSON, or null for none
  record Page(String method, String url, byte @Nullable [] body) {}

  /// Where a part can be read on: the resource of the split from there on, and where that begins.
  record ResumePoint(String resource, long from) {}

  /// The member of an answer that holds its rows.
  String arrayName();

  /// Names of the members of rows that are looked at.
  List<byte[]> members();

  /// The request for what comes behind the rows so far; null if there is nothing.
  ///
  /// @param limit most documents
  /// @param atOnce whether the server may make the whole answer before it sends any of it, which
  ///   costs both ends less than a piece for each row
  @Nullable Page next(long limit, boolean atOnce);

  /// A page begins.
  ///
  /// @param total how many documents the database has, as the page says; -1 if it does not
  /// @throws Fault.Transient if that can't be
  void begin(long total);

  /// A row has come.
  ///
  /// @param into takes its documents
  void row(RowScanner rows, Documents into);

  /// The page has come to its end.
  ///
  /// @throws RowScanner.CutOff if it lacks what it should have
  void complete() throws RowScanner.CutOff;

  /// Where to go on behind a document; null if that can't be said.
  ///
  /// @param bytes that it lies in
  /// @param mark that was put to it
  /// @param given how many documents of the part have been given with it
  @Nullable ResumePoint after(byte[] bytes, Range mark, long given);
}
