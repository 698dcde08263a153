package millrace.testkit.oracle.call;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Remembers, for both sides of a log-on in this JVM, the key that thousands of rounds derive of a
/// password: the driver does not take fewer rounds from a server, and they would be two fifths of
/// the time of Oracle's tests. What goes over the wire is what it would be without this.
///
/// Any thread.
final class RememberedKeys extends Provider {

  /// What derives them.
  private static final String ALGORITHM = "PBKDF2WithHmacSHA512";

  /// Keys of fewer rounds are of one session.
  private static final int ROUNDS_MIN = 1_000;

  private static final Map<Derived, SecretKey> KEYS = new ConcurrentHashMap<>();

  /// What a key is derived of.
  private record Derived(String password, String salt, int rounds, int bits) {

    static Derived of(PBEKeySpec spec) {
      return new Derived(
          String.valueOf(spec.getPassword()),
          HexFormat.of().formatHex(spec.getSalt()),
          spec.getIterationCount(),
          spec.getKeyLength());
    }
  }

  private RememberedKeys() {
    super("MillraceTests", "1", "remembers keys of passwords");
    putService(
        new Service(this, "SecretKeyFactory", ALGORITHM, Factory.class.getName(), null, null) {
          @Override
          public Object newInstance(@Nullable Object parameter) {
            return new Factory();
          }
        });
  }

  /// Begins to remember; what a server calls before it lets anybody log on.
  static void install() {
    // A second one of that name is not added.
    Security.insertProviderAt(new RememberedKeys(), 1);
  }

  private static final class Factory extends SecretKeyFactorySpi {

    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
      if (spec instanceof PBEKeySpec password && password.getIterationCount() >= ROUNDS_MIN) {
        Derived derived = Derived.of(password);
        SecretKey known = KEYS.get(derived);
        if (known == null) {
          known = new SecretKeySpec(jdk().generateSecret(spec).getEncoded(), ALGORITHM);
          KEYS.put(derived, known);
        }
        return known;
      }
      return jdk().generateSecret(spec);
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> kind)
        throws InvalidKeySpecException {
      return jdk().getKeySpec(key, kind);
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
      return jdk().translateKey(key);
    }

    private static SecretKeyFactory jdk() {
      try {
        return SecretKeyFactory.getInstance(ALGORITHM, "SunJCE");
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
