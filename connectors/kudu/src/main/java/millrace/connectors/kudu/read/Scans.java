package millrace.connectors.kudu.read;

import java.io.IOException;
import millrace.fault.Fault;
import org.apache.kudu.client.Client;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.shaded.com.google.protobuf.ByteString;

/// Scanners from scan tokens.
public final class Scans {

  private Scans() {}

  /// A scanner of one token, which reads as the token says.
  public static KuduScanner open(KuduScanToken token, KuduClient client) throws KuduException {
    return open(bytes(token), client);
  }

  static byte[] bytes(KuduScanToken token) {
    try {
      return token.serialize();
    } catch (IOException e) {
      throw new Fault.Bug("a scan token is not spelled", e);
    }
  }

  /// Which keys a token stands for.
  static KeyRangeOfTablet cut(byte[] token) {
    Client.ScanTokenPB message = parse(token);
    return KeyRangeOfTablet.of(
        message.getLowerBoundPartitionKey().toByteArray(),
        message.getLowerBoundPrimaryKey().toByteArray(),
        message.getUpperBoundPrimaryKey().toByteArray());
  }

  /// The same token for other keys of the same tablet.
  static byte[] narrowed(byte[] token, KeyRangeOfTablet cut) {
    Client.ScanTokenPB.Builder builder = parse(token).toBuilder();
    builder.clearLowerBoundPrimaryKey().clearUpperBoundPrimaryKey();
    if (cut.fromKey().length > 0) {
      builder.setLowerBoundPrimaryKey(ByteString.copyFrom(cut.fromKey()));
    }
    if (cut.toKey().length > 0) {
      builder.setUpperBoundPrimaryKey(ByteString.copyFrom(cut.toKey()));
    }
    return builder.build().toByteArray();
  }

  private static Client.ScanTokenPB parse(byte[] token) {
    try {
      return Client.ScanTokenPB.parseFrom(token);
    } catch (IOException e) {
      throw new Fault.Bug("a scan token is not read", e);
    }
  }

  static KuduScanner open(byte[] token, KuduClient client) throws KuduException {
    try {
      return KuduScanToken.deserializeIntoScanner(token, client);
    } catch (KuduException e) {
      throw e;
    } catch (IOException e) {
      throw new Fault.Bug("a scan token is not read", e);
    }
  }
}
