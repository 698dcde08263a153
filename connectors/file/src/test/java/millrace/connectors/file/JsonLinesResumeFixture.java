package millrace.connectors.file;

/// Files of JSON Lines.
abstract class JsonLinesResumeFixture extends FileResumeFixture {

  @Override
  String ending() {
    return ".jsonl";
  }

  @Override
  public boolean takesDocuments() {
    return true;
  }
}
