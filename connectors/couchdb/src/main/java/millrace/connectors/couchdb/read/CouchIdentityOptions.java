package millrace.connectors.couchdb.read;

import java.util.List;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// Which documents of a database are wanted, and what of them.
///
/// @param named the fields that become columns; empty for whole documents
/// @param filter the program that each document goes through; null if none
/// @param skipsDesign whether design documents are left out
/// @param local whether the documents that stay with the server come too
/// @param followsChanges whether `_changes` is followed rather than all documents listed
/// @param deleted whether deleted documents come too
/// @param conflicts whether conflicting revisions come too
record CouchIdentityOptions(
    List<Named> named,
    @Nullable String filter,
    boolean skipsDesign,
    boolean local,
    boolean followsChanges,
    boolean deleted,
    boolean conflicts) {

  /// What the endpoint says.
  ///
  /// @param label of the database, for errors
  static CouchIdentityOptions of(Endpoint endpoint, String label) {
    boolean local = endpoint.flag("local", false);
    boolean deleted = endpoint.flag("deleted", false);
    boolean conflicts = endpoint.flag("conflicts", false);
    boolean followsChanges = endpoint.flag("changes", false) || deleted || conflicts;
    if (local && followsChanges) {
      throw new Fault.User(
          label + ": local documents are not among the changes.",
          "Copy them by themselves, without changes, deleted and conflicts.");
    }
    return new CouchIdentityOptions(
        ColumnsOption.of(endpoint, "fields"),
        endpoint.text("filter").orElse(null),
        endpoint.flag("skip-design", false),
        local,
        followsChanges,
        deleted,
        conflicts);
  }
}
