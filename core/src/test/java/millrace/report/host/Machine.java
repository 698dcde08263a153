package millrace.report.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// A machine as Linux describes it in files, whose figures a test may set: one disk with two
/// partitions, a RAID over two disks, and a database server.
final class Machine {

  private final Path root;

  Machine(Path root) {
    this.root = root;
    write(
        "proc/self/mountinfo",
        """
        22 27 0:21 / /proc rw,relatime - proc proc rw
        27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        28 27 8:2 / /data rw,relatime - xfs /dev/sda2 rw
        29 27 9:0 / /raid rw,relatime - ext4 /dev/md0 rw
        30 27 0:40 / /pool rw,relatime - btrfs /dev/sdb rw
        31 27 0:41 / /with\\040blank rw,relatime - tmpfs tmpfs rw
        """);
    write("sys/class/block/sda/sda1/partition", "1\n");
    write("sys/class/block/sda/sda2/partition", "2\n");
    link("sys/class/block/sda1", "sda/sda1");
    link("sys/class/block/sda2", "sda/sda2");
    write("sys/class/block/md0/slaves/sdb/dev", "8:16\n");
    write("sys/class/block/md0/slaves/sdc/dev", "8:32\n");
    write("proc/cpuinfo", cpu(0, 2000) + cpu(1, 3000));
    disks(0, 0, 0, 0, 0);
    machine(0, 0, 0, 0);
    self(0, 0);
    thread(1, "reader-0", 0, 0);
    thread(2, "C2 CompilerThre", 0, 0);
  }

  private static String cpu(int number, int mhz) {
    return "processor : %d\nmodel name : Fast One\ncpu MHz : %d.0\n\n".formatted(number, mhz);
  }

  Path root() {
    return root;
  }

  Proc proc() {
    return new Proc(root.resolve("proc"));
  }

  Disks disks() {
    return new Disks(proc(), root.resolve("sys"), root.resolve("dev"));
  }

  void disks(long readBytes, long writeBytes, long readMs, long writeMs, long busyMs) {
    StringBuilder lines = new StringBuilder();
    for (String disk :
        List.of("8 0 sda", "8 1 sda1", "8 2 sda2", "8 16 sdb", "8 32 sdc", "9 0 md0")) {
      lines.append(
          String.format(
              Locale.ROOT,
              "   %s 1 0 %d %d 1 0 %d %d 0 %d 0 0 0 0 0 0 0%n",
              disk,
              readBytes / 512,
              readMs,
              writeBytes / 512,
              writeMs,
              busyMs));
    }
    write("proc/diskstats", lines.toString());
  }

  /// Ticks since the machine started.
  void machine(long user, long idle, long iowait, long stolen) {
    write(
        "proc/stat",
        "cpu  %d 0 0 %d %d 0 0 %d 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nintr 1 2\n"
            .formatted(user, idle, iowait, stolen));
  }

  void self(long user, long system) {
    write("proc/self/stat", stat(500, "java", 1, user, system, 0, 0));
  }

  void thread(int id, String name, long ticks, int processor) {
    write("proc/self/task/" + id + "/stat", stat(id, name, 1, ticks, 0, 0, processor));
  }

  /// A process of one thread, with the ticks of its children that have ended.
  void process(int id, String name, int parent, long ticks, long endedTicks) {
    String stat = stat(id, name, parent, ticks, 0, endedTicks, 0);
    write("proc/" + id + "/stat", stat);
    write("proc/" + id + "/task/" + id + "/stat", stat);
  }

  /// Somebody has stopped a process of one thread.
  void stopped(int id, String name, int parent) {
    String stat = stat(id, name, parent, 0, 0, 0, 0).replace(") S ", ") T ");
    write("proc/" + id + "/stat", stat);
    write("proc/" + id + "/task/" + id + "/stat", stat);
  }

  /// Another thread of a process, and for how long it has waited for a processor.
  void thread(int process, int id, long ticks, long delayNanos) {
    write("proc/" + process + "/task/" + id + "/stat", stat(id, "worker", 1, ticks, 0, 0, 0));
    write("proc/" + process + "/task/" + id + "/schedstat", "1 " + delayNanos + " 1\n");
  }

  /// For how long a process of one thread has waited for a processor.
  void delayed(int id, long nanos) {
    write("proc/" + id + "/task/" + id + "/schedstat", "1 " + nanos + " 1\n");
  }

  /// For how long a thread of this process has.
  void threadDelayed(int id, long nanos) {
    write("proc/self/task/" + id + "/schedstat", "1 " + nanos + " 1\n");
  }

  void arguments(int id, String... arguments) {
    write("proc/" + id + "/cmdline", String.join("\0", arguments) + "\0");
  }

  /// A socket that a process listens on.
  void listens(int id, int port, int inode) {
    write(
        "proc/net/tcp",
        "  sl  local_address rem_address   st\n   0: 0100007F:%04X 00000000:0000 0A 0:0 0:0 0 0 0 %d 1 0\n"
            .formatted(port, inode));
    link("proc/" + id + "/fd/7", "socket:[" + inode + "]");
  }

  /// A program that listens on a port, and a process that holds a connection with it; another one
  /// holds a connection with that port of another machine.
  void connected(int listener, int process, int stranger, int port) {
    String line = "   0: %s %s %s 0:0 0:0 0 0 0 %d 1 0\n";
    String here = "0100007F:%04X".formatted(port);
    String far = "0200000A:%04X".formatted(port);
    write(
        "proc/net/tcp",
        "  sl  local_address rem_address   st\n"
            + line.formatted(here, "00000000:0000", "0A", 71)
            + line.formatted("0100007F:C001", here, "01", 72)
            + line.formatted("0300000A:C002", far, "01", 73));
    write(
        "proc/net/tcp6",
        line.formatted(
            "0000000000000000FFFF0000" + here, "0000000000000000FFFF00000100007F:C001", "01", 74));
    link("proc/" + listener + "/fd/7", "socket:[71]");
    link("proc/" + listener + "/fd/8", "socket:[74]");
    link("proc/" + process + "/fd/7", "socket:[72]");
    link("proc/" + stranger + "/fd/7", "socket:[73]");
  }

  void worksIn(int id, Path folder) {
    link("proc/" + id + "/cwd", folder.toString());
  }

  private static String stat(
      int id, String name, int parent, long user, long system, long ended, int processor) {
    String rest = "0 ".repeat(21);
    return "%d (%s) S %d 1 1 0 -1 0 0 0 0 0 %d %d %d 0 %s%d 0 0\n"
        .formatted(id, name, parent, user, system, ended, rest, processor);
  }

  private void write(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void link(String name, String to) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.createSymbolicLink(file, Path.of(to));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
