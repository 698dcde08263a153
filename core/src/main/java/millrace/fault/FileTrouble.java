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

  /// The file, where it is known, and what is wrong with it, as the end of a sentence.
  public static String of(Exception cause) {
    return cause instanceof FileSystemException e
        ? e.getFile() + ": " + reason(e)
        : String.valueOf(cause.getMessage());
  }

  /// The same where Java's message may lack the file, as that of a full disk does.
  public static String of(Path file, IOException cause) {
    return cause instanceof FileSystemException ? of(cause) : file + ": " + of(cause);
  }

  /// What is wrong with a symbolic link that leads to no file, as the end of a sentence; empty
  /// where the path is none.
  public static String ofLink(Path path) {
    if (!Files.isSymbolicLink(path) || Files.exists(path)) {
      return "";
    }
    try {
      return "is a symbolic link to " + Files.readSymbolicLink(path) + ", " + whyDead(path);
    } catch (IOException e) {
      return "is a symbolic link that can't be read: " + reason(e);
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
