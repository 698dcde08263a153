package millrace.io;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Linux's extended attributes of files by its own functions: Java has none for those that hold a
/// file's ACL. Any thread.
final class LinuxAttributes {

  /// The file's ACL, beside the one that a folder has for new files.
  static final String ACL = "system.posix_acl_access";

  private static final MethodHandle GET =
      of("getxattr", JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);

  /// Few files have an ACL, and each of these takes Java 20 ms to make.
  private static final class Changes {
    private static final MethodHandle SET =
        of("setxattr", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle REMOVE = of("removexattr", JAVA_INT, ADDRESS, ADDRESS);
  }

  private LinuxAttributes() {}

  @SuppressWarnings("restricted") // The launcher allows native access.
  private static MethodHandle of(String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  /// Gives a file the ACL and the users' attributes of another. An ACL that it has from its folder
  /// goes if the other has none.
  ///
  /// @return whether all could be set
  static boolean copy(Path from, Path to) {
    boolean isComplete = copyUsers(from, to);
    byte[] acl = get(from, ACL);
    if (acl != null) {
      return set(to, ACL, acl) && isComplete;
    }
    if (get(to, ACL) != null) {
      remove(to, ACL);
    }
    return isComplete;
  }

  /// Java's own view of users' attributes is at hand at once.
  private static boolean copyUsers(Path from, Path to) {
    UserDefinedFileAttributeView theirs = users(from);
    UserDefinedFileAttributeView ours = users(to);
    boolean isComplete = true;
    for (String name : names(theirs)) {
      try {
        ByteBuffer value = ByteBuffer.allocate(theirs.size(name));
        theirs.read(name, value);
        ours.write(name, value.flip());
      } catch (IOException _) {
        isComplete = false;
      }
    }
    return isComplete;
  }

  private static UserDefinedFileAttributeView users(Path file) {
    return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
  }

  private static List<String> names(UserDefinedFileAttributeView view) {
    try {
      return view.list();
    } catch (IOException _) {
      // The file system has none.
      return List.of();
    }
  }

  /// The value of an attribute; null if there is none, or the file system has no attributes.
  static byte @Nullable [] get(Path file, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      MemorySegment key = arena.allocateFrom(name);
      long size = (long) GET.invokeExact(path, key, MemorySegment.NULL, 0L);
      if (size < 0) {
        return null;
      }
      MemorySegment value = arena.allocate(Math.max(1, size));
      long got = (long) GET.invokeExact(path, key, value, size);
      return got < 0 ? null : value.asSlice(0, got).toArray(JAVA_BYTE);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /// Sets an attribute; false if the user may not, or the file system has none.
  static boolean set(Path file, String name, byte[] value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.max(1, value.length));
      MemorySegment.copy(value, 0, bytes, JAVA_BYTE, 0, value.length);
      return (int)
              Changes.SET.invokeExact(
                  arena.allocateFrom(file.toString()),
                  arena.allocateFrom(name),
                  bytes,
                  (long) value.length,
                  0)
          == 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private static void remove(Path file, String name) {
    try (Arena arena = Arena.ofConfined()) {
      int _ =
          (int)
              Changes.REMOVE.invokeExact(
                  arena.allocateFrom(file.toString()), arena.allocateFrom(name));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private static Fault.Bug failed(Throwable e) {
    return new Fault.Bug("Linux's extended attributes can't be asked for", e);
  }
}
