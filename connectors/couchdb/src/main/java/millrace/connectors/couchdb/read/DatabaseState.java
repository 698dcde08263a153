package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.connectors.json.Range;
import millrace.fault.Fault;
import millrace.io.Digest;

/// What tells whether a database is still the one that was read: its name, when it was made, its
/// last sequence, and the revisions of its first documents.
///
/// A sequence of CouchDB 2 and 3 may be spelled in several ways, so one that looks different is
/// shown to the server: if no change stands behind it, nothing has been written.
final class DatabaseState {

  private static final List<byte[]> NAMES = List.of(Members.ID, Members.REVISION);

  private DatabaseState() {}

  /// The identity.
  ///
  /// @param info what the server says of the database
  /// @param sample its first documents
  /// @param grows whether it is read by changes, so that it may be written to
  static String of(JsonNode info, List<byte[]> sample, boolean grows) {
    ObjectNode all = Json.MAPPER.createObjectNode();
    all.put("database", info.path("db_name").asText());
    all.put("made", info.path("uuid").asText() + " " + info.path("instance_start_time").asText());
    all.set("sequence", info.path("update_seq"));
    if (!grows) {
      all.put("first", hash(sample));
    }
    try {
      return Json.MAPPER.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("JSON can't be written", e);
    }
  }

  /// When the database was made, if the server says so; empty if it does not, as CouchDB from 2 to
  /// 3.2, or says when it was opened, as CouchDB 1.
  static String made(JsonNode info) {
    String made = info.path("instance_start_time").asText();
    return info.has("cluster") && !made.equals("0") ? made : "";
  }

  private static String hash(List<byte[]> sample) {
    Digest digest = new Digest();
    Members members = new Members();
    for (byte[] document : sample) {
      for (byte[] name : NAMES) {
        Range value = Range.ofMember(members, document, 0, document.length, name);
        if (value != null) {
          digest.add(document, value.start(), value.end() - value.start());
        }
      }
    }
    return digest.hex();
  }

  /// How the database differs from what it was, as a sentence without its end; empty if it does
  /// not.
  static String change(
      CouchClient client, HttpCalls calls, String before, String now, boolean grows) {
    JsonNode old = read(before);
    JsonNode current = read(now);
    if (!old.path("made").equals(current.path("made"))) {
      return client.label() + " was made anew since, or its server was started again";
    }
    if (grows) {
      return number(current) < number(old)
          ? client.label() + " has fewer changes than it had: it was made anew"
          : "";
    }
    boolean same =
        old.path("first").equals(current.path("first"))
            && (old.path("sequence").equals(current.path("sequence"))
                || isLast(client, calls, old.path("sequence")));
    return same
        ? ""
        : client.label()
            + " has been written to since; copies that are to go on after that read by --changes";
  }

  private static JsonNode read(String identity) {
    try {
      return Json.MAPPER.readTree(identity);
    } catch (JsonProcessingException e) {
      throw new Fault.User(
          "The copy was begun by another version of Millrace.", "Begin again with --fresh.", e);
    }
  }

  /// What a sequence counts: texts begin with a number.
  private static long number(JsonNode identity) {
    String digits = identity.path("sequence").asText().replaceFirst("[^0-9].*", "");
    return digits.isEmpty() || digits.length() > 18 ? 0 : Long.parseLong(digits);
  }

  private static boolean isLast(CouchClient client, HttpCalls calls, JsonNode sequence) {
    String since = sequence.isTextual() ? sequence.asText() : sequence.toString();
    String query = "_changes?limit=1&style=all_docs&since=" + CouchAddress.encoded(since);
    String url = client.address().databaseUrl(query);
    JsonNode answer = calls.json("GET", url, null, "looking for changes", 400, 404);
    return answer != null && answer.path("results").isArray() && answer.path("results").isEmpty();
  }
}
