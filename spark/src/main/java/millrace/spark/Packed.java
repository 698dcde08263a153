package millrace.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// A value as bytes, its passwords apart from it: Spark may write what it broadcasts to disk, and
/// sends what goes with a task and no more. It is given bytes, since a serializer that is common on
/// clusters knows no records.
///
/// @param plain without passwords
/// @param secrets the passwords
record Packed(byte[] plain, byte[] secrets) implements Serializable {

  /// In the place of a password.
  private record Hidden(int number) implements Serializable {}

  /// Takes a value apart.
  static Packed apart(Serializable value) {
    ArrayList<Secret> secrets = new ArrayList<>();
    byte[] plain = bytes(value, secrets);
    return new Packed(plain, of(secrets));
  }

  /// A value that has no passwords, or is sent and no more.
  static byte[] of(Serializable value) {
    return bytes(value, null);
  }

  /// @param secrets where passwords go; null if they stay
  private static byte[] bytes(Serializable value, @Nullable List<Secret> secrets) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Hiding(bytes, secrets)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new Fault.Bug("what goes to other processes can't be sent", e);
    }
    return bytes.toByteArray();
  }

  /// The value whose bytes they are.
  static <T> T read(byte[] bytes, Class<T> type) {
    return read(bytes, List.of(), type);
  }

  /// Puts a value together again.
  <T> T whole(Class<T> type) {
    List<Secret> all = new ArrayList<>();
    for (Object each : read(secrets, List.class)) {
      all.add((Secret) each);
    }
    return read(plain, all, type);
  }

  private static <T> T read(byte[] bytes, List<Secret> secrets, Class<T> type) {
    try (ObjectInputStream in = new Revealing(new ByteArrayInputStream(bytes), secrets)) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new Fault.Bug("what another process has sent can't be read", e);
    }
  }

  private static final class Hiding extends ObjectOutputStream {
    private final @Nullable List<Secret> secrets;

    Hiding(OutputStream out, @Nullable List<Secret> secrets) throws IOException {
      super(out);
      this.secrets = secrets;
      enableReplaceObject(secrets != null);
    }

    @Override
    protected Object replaceObject(Object object) {
      if (secrets == null || !(object instanceof Secret secret)) {
        return object;
      }
      secrets.add(secret);
      return new Hidden(secrets.size() - 1);
    }
  }

  private static final class Revealing extends ObjectInputStream {
    private final List<Secret> secrets;

    Revealing(InputStream in, List<Secret> secrets) throws IOException {
      super(in);
      this.secrets = secrets;
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      return object instanceof Hidden(int number) ? secrets.get(number) : object;
    }

    /// Our classes are in a loader of Spark's, which the stream would not look into by itself.
    @Override
    protected Class<?> resolveClass(ObjectStreamClass of)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(of.getName(), false, Packed.class.getClassLoader());
      } catch (ClassNotFoundException _) {
        return super.resolveClass(of);
      }
    }
  }
}
