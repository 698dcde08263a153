package millrace.data.spelling;

import millrace.data.Type;
import millrace.data.Vector;

/// JSON values: the bytes of a document as they are, if they are one.
final class JsonTexts extends Texts {

  private final JsonGrammar grammar = new JsonGrammar();

  JsonTexts() {
    super(Type.Text.UNLIMITED);
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    return grammar.follow(bytes, start, end) == JsonGrammar.Result.DOCUMENT
        && super.parse(bytes, start, end, into, row);
  }
}
