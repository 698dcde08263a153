package millrace.connectors.couchdb.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import millrace.fault.Fault;

/// Whether a document that was sent and one that a server gives have the same content, whatever the
/// server adds (`_rev`, an attachment's `revpos`) and however it spells numbers.
public final class SameDocument {

  private static final String REVISION = "_rev";
  private static final String ATTACHMENTS = "_attachments";

  private static final String TYPE = "content_type";

  /// What is known of the attachments of two documents.
  public enum Attachments {
    SAME,
    DIFFERENT,
    /// Their bytes have to be fetched.
    UNKNOWN
  }

  private SameDocument() {}

  /// Whether they have the same members, but for their revisions and attachments.
  public static boolean members(JsonNode sent, JsonNode there) {
    return sent.isObject() && there.isObject() && sameMembers(sent, there, true);
  }

  private static boolean sameMembers(JsonNode one, JsonNode other, boolean ofDocument) {
    int count = 0;
    for (Map.Entry<String, JsonNode> member : one.properties()) {
      if (ofDocument && isServers(member.getKey())) {
        continue;
      }
      count++;
      JsonNode its = other.get(member.getKey());
      if (its == null || !same(member.getValue(), its)) {
        return false;
      }
    }
    long others =
        other.propertyStream().filter(each -> !ofDocument || !isServers(each.getKey())).count();
    return count == others;
  }

  private static boolean isServers(String name) {
    return name.equals(REVISION) || name.equals(ATTACHMENTS);
  }

  private static boolean same(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return sameNumber(one, other);
    }
    if (one.isObject() && other.isObject()) {
      return sameMembers(one, other, false);
    }
    if (one.isArray() && other.isArray() && one.size() == other.size()) {
      Iterator<JsonNode> others = other.iterator();
      for (JsonNode element : one) {
        if (!same(element, others.next())) {
          return false;
        }
      }
      return true;
    }
    return one.equals(other);
  }

  /// A number with a fraction or an exponent is a double there, and a double without a fraction may
  /// be spelled as an integer.
  private static boolean sameNumber(JsonNode one, JsonNode other) {
    if (one.isIntegralNumber() && other.isIntegralNumber()) {
      return one.bigIntegerValue().equals(other.bigIntegerValue());
    }
    double first = one.doubleValue();
    double second = other.doubleValue();
    if (Double.isInfinite(first) || Double.isInfinite(second)) {
      return false;
    }
    return first == second
        && (one.isIntegralNumber() == other.isIntegralNumber()
            || new BigDecimal(first).compareTo(integer(one, other)) == 0);
  }

  private static BigDecimal integer(JsonNode one, JsonNode other) {
    return new BigDecimal((one.isIntegralNumber() ? one : other).bigIntegerValue());
  }

  /// Compares what is known of the attachments: bytes if both have them, otherwise length and
  /// digest. A digest that differs says nothing: the server may have compressed the bytes.
  public static Attachments attachments(JsonNode sent, JsonNode there) {
    JsonNode ours = sent.path(ATTACHMENTS);
    JsonNode theirs = there.path(ATTACHMENTS);
    if (ours.size() != theirs.size()) {
      return Attachments.DIFFERENT;
    }
    Attachments all = Attachments.SAME;
    for (Map.Entry<String, JsonNode> each : ours.properties()) {
      Attachments one = attachment(each.getValue(), theirs.path(each.getKey()));
      if (one == Attachments.DIFFERENT) {
        return one;
      }
      all = one == Attachments.UNKNOWN ? one : all;
    }
    return all;
  }

  private static Attachments attachment(JsonNode sent, JsonNode there) {
    boolean isOfType =
        !sent.has(TYPE) || sent.path(TYPE).asText().equals(there.path(TYPE).asText());
    if (!there.isObject() || !isOfType) {
      return Attachments.DIFFERENT;
    }
    if (!sent.has("data")) {
      boolean isSame =
          sent.has("digest")
              && sent.path("digest").equals(there.path("digest"))
              && (!sent.has("length") || sent.path("length").equals(there.path("length")));
      return isSame ? Attachments.SAME : Attachments.DIFFERENT;
    }
    byte[] bytes = decoded(sent.path("data"));
    if (there.has("data")) {
      return MessageDigest.isEqual(bytes, decoded(there.path("data")))
          ? Attachments.SAME
          : Attachments.DIFFERENT;
    }
    if (there.path("length").asLong() != bytes.length) {
      return Attachments.DIFFERENT;
    }
    return there.path("digest").asText().equals("md5-" + md5(bytes))
        ? Attachments.SAME
        : Attachments.UNKNOWN;
  }

  /// No bytes if they are not Base64, which no server takes.
  private static byte[] decoded(JsonNode data) {
    try {
      return Base64.getMimeDecoder().decode(data.asText());
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private static String md5(byte[] bytes) {
    try {
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("MD5").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new Fault.Bug("this JDK has no MD5", e);
    }
  }
}
