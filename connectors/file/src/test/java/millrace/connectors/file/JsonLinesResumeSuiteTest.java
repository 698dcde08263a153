package millrace.connectors.file;

/// Files of JSON Lines.
class JsonLinesResumeSuiteTest extends FileResumeSuiteTest {

  @Override
  String ending() {
    return ".jsonl";
  }

  @Override
  protected boolean takesDocuments() {
    return true;
  }
}
