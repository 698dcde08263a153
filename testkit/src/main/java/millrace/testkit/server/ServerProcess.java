package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server's program while it runs. It ends with the process that started it, even if that is
/// killed: a shell beside it waits for the end of a pipe that only that process holds open.
public final class ServerProcess {

  /// What the shell reads if only the program is to end.
  private static final String KEEP = "keep\n";

  /// The first word is the server's folder, the others are its command. If the pipe ends without a
  /// word, nobody is left who needs the folder.
  private static final String SCRIPT =
      """
      exec 3<&0
      folder=$1
      shift
      "$@" 3<&- &
      server=$!
      { read -r word <&3 || : >"$folder/unneeded"; kill -KILL $server; } 2>/dev/null &
      watch=$!
      wait $server
      code=$?
      kill $watch 2>/dev/null
      [ ! -e "$folder/unneeded" ] || rm -rf -- "$folder"
      exit $code
      """;

  private final Process shell;

  private ServerProcess(Process shell) {
    this.shell = shell;
  }

  /// Starts a program.
  ///
  /// @param folder what is removed when nobody is left who needs the server
  /// @param log where its output goes, behind what is there
  public static ServerProcess start(Path folder, Path log, List<String> command)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh", folder.toString()));
    words.addAll(command);
    return new ServerProcess(
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  /// Starts a server, and returns when its port takes connections.
  ///
  /// @param folder the server's own, in which its output goes to `log`
  /// @param port of the loopback interface
  static ServerProcess listening(Path folder, int port, List<String> command) throws IOException {
    Path log = folder.resolve("log");
    ServerProcess started = start(folder, log, command);
    while (!answers(port)) {
      if (!started.isAlive()) {
        throw new IOException(command.getFirst() + " has ended: " + Files.readString(log));
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return started;
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException _) {
      return false;
    }
  }

  public boolean isAlive() {
    return shell.isAlive();
  }

  /// Waits for the program's end.
  ///
  /// @return its exit code
  int await() {
    try {
      return shell.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Kills it as kill -9 does, and returns when it is gone. Its folder stays.
  public void kill() {
    if (isAlive()) {
      say(KEEP);
    }
    await();
  }

  private void say(String words) {
    try {
      shell.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
      shell.getOutputStream().close();
    } catch (IOException e) {
      if (isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
