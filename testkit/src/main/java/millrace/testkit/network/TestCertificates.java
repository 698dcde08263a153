package millrace.testkit.network;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// A certificate authority for tests, made by the JDK's keytool in a temporary folder.
public final class TestCertificates {

  private static final String STORE_PASSWORD = "for-tests";

  private final Path folder;

  /// Makes the authority.
  public TestCertificates(Path folder) {
    this.folder = folder;
    keytool("-genkeypair", "-alias", "ca", "-dname", "CN=A test's own CA", "-ext", "bc:c");
    keytool("-exportcert", "-rfc", "-alias", "ca", "-file", authority().toString());
  }

  /// The authority's certificate.
  public Path authority() {
    return folder.resolve("ca.pem");
  }

  /// A server's key and its certificate, both as PEM, in this order.
  public List<String> server(String host) {
    return server(host, "-1d");
  }

  /// The same with a certificate that was good for 90 days of last year.
  public List<String> expiredServer(String host) {
    return server(host, "-1y");
  }

  private List<String> server(String host, String startDate) {
    Path request = folder.resolve("request.pem");
    Path certificate = folder.resolve("server.pem");
    keytool("-genkeypair", "-alias", "server", "-dname", "CN=" + host);
    keytool("-certreq", "-alias", "server", "-file", request.toString());
    keytool(
        "-gencert",
        "-rfc",
        "-alias",
        "ca",
        "-ext",
        "san=dns:" + host,
        "-startdate",
        startDate,
        "-validity",
        "90",
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString());
    try (InputStream store = Files.newInputStream(store())) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(store, STORE_PASSWORD.toCharArray());
      byte[] key = keys.getKey("server", STORE_PASSWORD.toCharArray()).getEncoded();
      String base64 =
          Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key);
      return List.of(
          "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----",
          Files.readString(certificate).replace("\r", ""));
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError("the server's key can't be read", e);
    }
  }

  private Path store() {
    return folder.resolve("keys.p12");
  }

  private void keytool(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", store().toString(), "-storepass", STORE_PASSWORD));
    if (arguments[0].equals("-genkeypair")) {
      command.addAll(List.of("-keyalg", "EC"));
    }
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("keytool fails: " + said);
      }
    } catch (IOException e) {
      throw new AssertionError("keytool does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while keytool ran", e);
    }
  }
}
