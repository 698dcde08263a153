package millrace.connectors.kudu.read;

import java.io.IOException;
import millrace.fault.Fault;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;

/// Scanners from scan tokens.
final class Scans {

  private Scans() {}

  static KuduScanner open(KuduScanToken token, KuduClient client) throws KuduException {
    return open(bytes(token), client);
  }

  static byte[] bytes(KuduScanToken token) {
    try {
      return token.serialize();
    } catch (IOException e) {
      throw new Fault.Bug("a scan token is not spelled", e);
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
