package millrace.report.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads Linux's /proc, see proc(5). Any thread; nothing is held open.
///
/// A process may end while it is looked at: then there is null, or an empty list, in its place.
final class Proc {

  /// /proc counts in hundredths of a second on every architecture that a JDK 25 runs on.
  static final double TICKS_PER_S = 100;

  private final Path root;

  /// @param root `/proc`, or a recorded copy of it
  Proc(Path root) {
    this.root = root;
  }

  /// Whether the system has it.
  boolean exists() {
    return Files.isReadable(root.resolve("stat"));
  }

  /// Ticks of all processors since the machine started.
  record Machine(long busy, long idle, long iowait, long stolen) {}

  /// The first line of /proc/stat. Guests' time stands in user and nice already.
  Machine machine() throws IOException {
    String[] all = lines("stat").getFirst().split(" +", -1);
    long busy = 0;
    for (int i : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(all[i]);
    }
    return new Machine(
        busy, Long.parseLong(all[4]), Long.parseLong(all[5]), Long.parseLong(all[8]));
  }

  /// How many processors the machine has, whatever part of them we may use.
  int processors() throws IOException {
    return (int) lines("stat").stream().filter(line -> line.matches("cpu[0-9]+ .*")).count();
  }

  /// A process or thread.
  ///
  /// @param id its number
  /// @param name the first 15 characters of its name
  /// @param parent the parent's number
  /// @param user ticks in its own code
  /// @param system ticks in the kernel
  /// @param children ticks of children that have ended
  /// @param stopped whether it is stopped, by a signal or a debugger
  record Task(
      int id, String name, int parent, long user, long system, long children, boolean stopped) {

    long processorTime() {
      return user + system;
    }
  }

  /// This process.
  Task self() throws IOException {
    return task(Files.readString(root.resolve("self/stat"), StandardCharsets.ISO_8859_1));
  }

  /// For how many nanoseconds a thread of this process has waited for a processor although it had
  /// something to do; -1 if the kernel does not keep that.
  long delayNanos(int thread) {
    return delayNanos("self", thread);
  }

  /// The same of a thread of another process.
  long delayNanos(int process, int thread) {
    return delayNanos(Integer.toString(process), thread);
  }

  private long delayNanos(String process, int thread) {
    Scheduled scheduled = scheduled(process, thread);
    return scheduled == null ? -1 : scheduled.waitedNanos;
  }

  /// What the kernel keeps of when a thread was at work.
  ///
  /// @param ranNanos for how long it was on a processor
  /// @param waitedNanos for how long it waited for one
  record Scheduled(long ranNanos, long waitedNanos) {}

  /// That of a thread of another process; null if it has ended, or the kernel does not keep that.
  @Nullable Scheduled scheduled(int process, int thread) {
    return scheduled(Integer.toString(process), thread);
  }

  private @Nullable Scheduled scheduled(String process, int thread) {
    try {
      Path file = root.resolve(process + "/task/" + thread + "/schedstat");
      String[] all = Files.readString(file).split(" ", -1);
      return new Scheduled(Long.parseLong(all[0]), Long.parseLong(all[1]));
    } catch (IOException _) {
      return null;
    }
  }

  /// The threads of this process.
  List<Task> threads() throws IOException {
    return threads("self");
  }

  /// The threads of another process; none if it has ended.
  List<Task> threads(int process) {
    try {
      return threads(Integer.toString(process));
    } catch (IOException _) {
      return List.of();
    }
  }

  private List<Task> threads(String process) throws IOException {
    List<Task> threads = new ArrayList<>();
    for (Path folder : numbered(root.resolve(process + "/task"))) {
      Task thread = taskAt(folder);
      if (thread != null) {
        threads.add(thread);
      }
    }
    return threads;
  }

  /// A process, or null if there is none (any more).
  @Nullable Task process(int id) {
    return taskAt(root.resolve(Integer.toString(id)));
  }

  /// All processes that show themselves to this user.
  List<Task> processes() throws IOException {
    List<Task> all = new ArrayList<>();
    for (Path folder : numbered(root)) {
      Task process = taskAt(folder);
      if (process != null) {
        all.add(process);
      }
    }
    return all;
  }

  private static @Nullable Task taskAt(Path folder) {
    try {
      return task(Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      return null;
    }
  }

  /// The name stands in parentheses and may hold blanks and parentheses itself.
  private static Task task(String stat) {
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    String[] rest = stat.substring(close + 2).split(" ", -1);
    return new Task(
        Integer.parseInt(stat.substring(0, open).strip()),
        stat.substring(open + 1, close),
        Integer.parseInt(rest[1]),
        Long.parseLong(rest[11]),
        Long.parseLong(rest[12]),
        Long.parseLong(rest[13]) + Long.parseLong(rest[14]),
        rest[0].equalsIgnoreCase("T"));
  }

  /// The children of a process, by the kernel's own list, or by a look at all processes if it was
  /// built without, or if the process has just ended.
  List<Integer> children(int id) throws IOException {
    String numbers;
    try {
      numbers = Files.readString(root.resolve(id + "/task/" + id + "/children")).strip();
    } catch (IOException _) {
      return processes().stream().filter(each -> each.parent == id).map(Task::id).toList();
    }
    return numbers.isEmpty()
        ? List.of()
        : Arrays.stream(numbers.split(" ", -1)).map(Integer::valueOf).toList();
  }

  /// The arguments of a process; empty if it hides them.
  List<String> arguments(int id) {
    try {
      String text = Files.readString(root.resolve(id + "/cmdline"), StandardCharsets.ISO_8859_1);
      return List.of(text.strip().split("\0", -1));
    } catch (IOException _) {
      return List.of();
    }
  }

  /// The working folder of a process, or null if it is none of this user's business.
  @Nullable Path workingFolder(int id) {
    try {
      return Files.readSymbolicLink(root.resolve(id + "/cwd"));
    } catch (IOException | UnsupportedOperationException _) {
      return null;
    }
  }

  /// What the open files of a process are; empty if it hides them.
  List<String> openFiles(int id) {
    List<String> open = new ArrayList<>();
    try {
      for (Path file : numbered(root.resolve(id + "/fd"))) {
        open.add(Files.readSymbolicLink(file).toString());
      }
    } catch (IOException _) {
      return open;
    }
    return open;
  }

  /// The lines of a file; those of one that does not exist are none.
  List<String> lines(String name) throws IOException {
    Path file = root.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
  }

  private static List<Path> numbered(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "[0-9]*")) {
      entries.forEach(found::add);
    }
    return found;
  }
}
