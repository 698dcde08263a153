package millrace.job;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.io.store.StorePath;
import millrace.plan.Job;
import millrace.plan.ShellWords;
import millrace.spi.ConnectorRegistry;
import millrace.text.NameList;

/// The folders that the copies of a job write files into. They are looked at once, before the first
/// row: otherwise each copy would fail by itself.
final class TargetFolders {

  private static final int NAMES_SHOWN = 3;

  private TargetFolders() {}

  /// Sees to it that all folders are there and can be written.
  ///
  /// @throws Fault.User if one is not there or can't be written; of those that are not there with
  ///   the command that makes them all
  static void check(ConnectorRegistry connectors, List<TableCopy> copies) {
    Set<Path> missing =
        copies.stream()
            .flatMap(copy -> files(connectors, copy.spec().job()))
            .filter(file -> !Files.exists(file))
            .map(TargetFolders::folder)
            .filter(folder -> !isThere(folder))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (missing.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("mkdir", "-p"));
    missing.forEach(folder -> command.add(folder.toString()));
    boolean isOne = missing.size() == 1;
    throw new Fault.User(
        (isOne ? "There is no folder " : "There are no folders ")
            + NameList.first(missing.stream().map(Path::toString).toList(), NAMES_SHOWN)
            + ".",
        (isOne ? "Make it first:\n    " : "Make them first:\n    ") + ShellWords.line(command));
  }

  private static Stream<Path> files(ConnectorRegistry connectors, Job job) {
    return Stream.concat(
        connectors.of(job.to()).place(job.to()).paths().stream(),
        Stream.ofNullable(job.rejects().file()).filter(each -> !(each instanceof StorePath)));
  }

  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null ? Path.of(".") : folder;
  }

  /// @throws Fault.User if it is there and can't be written, or can't be made
  private static boolean isThere(Path folder) {
    if (Files.isDirectory(folder)) {
      if (!Files.isWritable(folder)) {
        throw new Fault.User(
            "Folder " + folder + ": permission denied: you may make no file there.",
            "Have the right given to you, or name another folder.");
      }
      return true;
    }
    for (Path each = folder; each != null && !Files.isDirectory(each); each = each.getParent()) {
      if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)) {
        throw new Fault.User(each + " is no folder.", "Name another folder.");
      }
    }
    return false;
  }
}
