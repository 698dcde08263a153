package millrace.fault;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/// Says what is wrong with a file: Java's own message is often its name and nothing else.
public final class FileTrouble {

  private FileTrouble() {}

  /// The file, if it is known, and what is wrong with it, as the end of a sentence.
  public static String of(Exception cause) {
    return cause instanceof FileSystemException e
        ? e.getFile() + ": " + reason(e)
        : String.valueOf(cause.getMessage());
  }

  /// The same if Java's message may lack the file, as that of a full disk does.
  public static String of(Path file, IOException cause) {
    return cause instanceof FileSystemException ? of(cause) : file + ": " + of(cause);
  }

  /// Sees to it that a file that is to be read is no symbolic link that leads to none.
  ///
  /// @param label how the user knows the file
  /// @throws Fault.User if it is one
  public static void checkSourceLink(Path path, String label) {
    checkLink(path, label, "Mend the link, or name the file.");
  }

  /// The same of a file that is to be written.
  public static void checkTargetLink(Path path, String label) {
    checkLink(path, label, "Name the file that it is to be, or remove the link.");
  }

  private static void checkLink(Path path, String label, String advice) {
    if (Files.isSymbolicLink(path) && !Files.exists(path)) {
      throw new Fault.User(label + " is a symbolic link " + ofDeadLink(path) + ".", advice);
    }
  }

  private static String ofDeadLink(Path link) {
    try {
      return "to " + Files.readSymbolicLink(link) + ", " + whyDead(link);
    } catch (IOException e) {
      return "that can't be read: " + reason(e);
    }
  }

  private static String whyDead(Path link) {
    try {
      return link.toRealPath() + " appeared just now";
    } catch (NoSuchFileException _) {
      return "and there is no such file";
    } catch (IOException e) {
      return "which can't be followed: " + reason(e);
    }
  }

  /// What is wrong, without the file.
  public static String reason(IOException cause) {
    return switch (cause) {
      case AccessDeniedException e when e.getReason() != null -> e.getReason();
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "there is no such file or folder";
      case NotDirectoryException _ -> "it is no folder";
      case FileAlreadyExistsException _ -> "it exists already";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      case FileSystemException e -> e.getClass().getSimpleName();
      default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
