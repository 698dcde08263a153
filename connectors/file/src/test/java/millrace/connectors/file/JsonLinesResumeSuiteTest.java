package millrace.connectors.file;

/// Files of JSON Lines.
class JsonLinesResumeSuiteTest extends FileResumeSuiteTest {

  @Override
  String ending() {
    return ".jsonl";
  }

  @Override
  public boolean takesDocuments() {
    return true;
  }
}
