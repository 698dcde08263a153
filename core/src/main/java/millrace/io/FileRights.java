package millrace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who may read and write the files that we make: what takes the place of a file has its mode,
/// owner, group, ACL and attributes, and nobody else may read it before it does. What is new has
/// the rights that any program's files have. Any thread; file systems without such rights are left
/// alone.
public final class FileRights {

  private static final Set<PosixFilePermission> PRIVATE =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final boolean IS_LINUX = System.getProperty("os.name", "").startsWith("Linux");

  private FileRights() {}

  /// What to make a file with.
  ///
  /// @param model the file whose place it takes, or whose rows it holds; null if it is new
  public static FileAttribute<?>[] of(Path file, @Nullable Path model) {
    return model == null || !isPosix(file)
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PRIVATE)};
  }

  /// Makes an empty file.
  ///
  /// @param model as above
  /// @throws IOException if it is there, or can't be made
  public static void create(Path file, @Nullable Path model) throws IOException {
    Files.createFile(file, of(file, model));
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /// Gives a file of ours the rights of another, as far as the user may.
  ///
  /// If its group can't be kept, those who get it instead may do no more than all others.
  ///
  /// @return what could not be kept, as a sentence; empty if all was
  /// @throws IOException if its mode can't be set
  public static String give(Path file, Path model) throws IOException {
    if (!isPosix(file)) {
      return "";
    }
    PosixFileAttributes wanted = Files.readAttributes(model, PosixFileAttributes.class);
    PosixFileAttributes current = Files.readAttributes(file, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    List<String> lost = new ArrayList<>();
    boolean keepsOwner =
        wanted.owner().equals(current.owner()) || isDone(() -> view.setOwner(wanted.owner()));
    boolean keepsGroup =
        wanted.group().equals(current.group()) || isDone(() -> view.setGroup(wanted.group()));
    boolean keepsAcl = !IS_LINUX || LinuxAttributes.copy(model, file);
    Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
    mode.addAll(wanted.permissions());
    if (!keepsGroup || !keepsAcl) {
      keepOfGroupWhatOthersHave(mode);
    }
    Files.setPosixFilePermissions(file, mode);
    add(lost, keepsOwner, "its owner " + wanted.owner().getName());
    add(lost, keepsGroup, "its group " + wanted.group().getName());
    add(lost, keepsAcl, "its ACL or attributes");
    return lost.isEmpty()
        ? ""
        : model
            + " could not keep "
            + String.join(" and ", lost)
            + ": you may not set that, and the new file is "
            + current.owner().getName()
            + "'s"
            + (keepsGroup ? "" : ", whose group may do no more than all others");
  }

  private static void keepOfGroupWhatOthersHave(Set<PosixFilePermission> mode) {
    for (String right : List.of("READ", "WRITE", "EXECUTE")) {
      if (!mode.contains(PosixFilePermission.valueOf("OTHERS_" + right))) {
        mode.remove(PosixFilePermission.valueOf("GROUP_" + right));
      }
    }
  }

  private static void add(List<String> lost, boolean isPreserved, String what) {
    if (!isPreserved) {
      lost.add(what);
    }
  }

  /// A change of a file.
  private interface Change {
    void make() throws IOException;
  }

  private static boolean isDone(Change change) {
    try {
      change.make();
      return true;
    } catch (IOException _) {
      // The user may not; what that means is told once all is known.
      return false;
    }
  }
}
