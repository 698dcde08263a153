package millrace.connectors.file;

import java.util.List;
import millrace.connectors.json.Each;
import millrace.connectors.json.FieldChoice;
import millrace.fault.Fault;
import millrace.io.FolderValues;
import millrace.spi.ColumnsOption;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;

/// What rows the documents of JSON Lines become, as the endpoint says.
///
/// @param named the members that become columns; empty for none
/// @param each what is a row
record DocumentIdentityOptions(List<Named> named, Each each) {

  private static final String EACH = "each";

  DocumentIdentityOptions {
    named = List.copyOf(named);
  }

  /// @throws Fault.User if an option is said of another file, or beside one that it can't go with
  static DocumentIdentityOptions of(Endpoint endpoint) {
    List<Named> named = ColumnsOption.of(endpoint, FieldChoice.OPTION);
    Each each = new Each(endpoint.text(EACH).orElse(""));
    DocumentIdentityOptions requested = new DocumentIdentityOptions(named, each);
    if (!requested.areRows()) {
      return requested;
    }
    String option = named.isEmpty() ? EACH : FieldChoice.OPTION;
    if (!FileOptions.areJsonLines(endpoint)) {
      throw new Fault.User(
          option + " is for documents, and " + endpoint.label() + " is no file of JSON Lines.",
          "Leave --" + option + " out, or say --format jsonl.");
    }
    for (String other : List.of("columns", FolderValues.OPTION)) {
      if (endpoint.text(other).isPresent()) {
        throw new Fault.User(
            option + " and " + other + " can't be said together (" + endpoint.label() + ").",
            "Say names and types of members in fields=name:type,… alone.");
      }
    }
    return requested;
  }

  /// Whether rows are made of documents, and not documents left as they are.
  boolean areRows() {
    return !named.isEmpty() || !each.isDocument();
  }
}
