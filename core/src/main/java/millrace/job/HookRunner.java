package millrace.job;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import millrace.fault.Fault;
import millrace.io.UserProgram;
import millrace.job.file.JobDescription;
import millrace.job.file.JobHook;
import millrace.spi.OpenContext;
import org.jspecify.annotations.Nullable;

/// Runs the hooks of a job: programs of the user's, which a shell reads only if the job says so.
/// Several threads may run hooks at once; a stop ends them all.
final class HookRunner {

  /// How long a hook may take to end once it is stopped.
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private final JobContext context;
  private final JobDescription job;
  private final Set<Process> running = new HashSet<>();
  private final Set<OpenContext> waiting = new HashSet<>();
  private @Nullable String cancelled;

  HookRunner(JobContext context, JobDescription job) {
    this.context = context;
    this.job = job;
  }

  /// Runs hooks one after the other, until one fails.
  ///
  /// @param when such as `before public.orders`
  /// @throws Fault.External if one fails that does not only warn
  void run(String when, List<JobHook> hooks) {
    for (JobHook hook : hooks) {
      try {
        run(when, hook);
      } catch (Fault.External e) {
        if (!hook.onlyWarns()) {
          throw e;
        }
        context.listener().warns((e.getMessage() + " " + e.advice()).strip());
      }
    }
  }

  /// Ends the hooks under way, and lets no other begin.
  synchronized void cancel(String reason) {
    cancelled = reason;
    running.forEach(process -> UserProgram.end(process, ENDS_WITHIN));
    waiting.forEach(OpenContext::cancel);
  }

  private void run(String when, JobHook hook) {
    JobHook.Query query = hook.query();
    if (query != null) {
      new QueryHook(this, job, context).run(when, hook, query);
      return;
    }
    try {
      Path output = Files.createTempFile("millrace-hook", ".txt");
      try {
        run(when, hook, output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw failed(when, hook, "can't be run: " + e.getMessage(), "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("Stopped.");
    }
  }

  /// What it leaves running goes on; so its output goes to a file and not to a pipe.
  private void run(String when, JobHook hook, Path output)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                hook.shell() ? List.of("sh", "-c", hook.words().getFirst()) : hook.words())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().putAll(hook.env());
    Process process = started(builder);
    boolean ended;
    try {
      ended = hasEnded(process, hook.timeout());
    } finally {
      UserProgram.end(process, ENDS_WITHIN);
      remove(process);
    }
    String last = UserProgram.tail(output);
    checkCancelled();
    if (!ended) {
      throw failed(
          when, hook, "did not end within " + hook.timeout().toSeconds() + " s.", last, null);
    }
    if (process.exitValue() != 0) {
      throw failed(
          when,
          hook,
          String.format(Locale.ROOT, "ended with exit code %d.", process.exitValue()),
          last,
          null);
    }
    last.lines().forEach(line -> context.listener().says(when + ": " + line));
  }

  private synchronized Process started(ProcessBuilder builder) throws IOException {
    checkCancelled();
    Process process = builder.start();
    running.add(process);
    return process;
  }

  /// A statement is about to run, which a stop ends.
  synchronized void begins(OpenContext statement) {
    checkCancelled();
    waiting.add(statement);
  }

  /// It has ended.
  synchronized void ended(OpenContext statement) {
    waiting.remove(statement);
    checkCancelled();
  }

  private synchronized void remove(Process process) {
    running.remove(process);
  }

  private synchronized void checkCancelled() {
    if (cancelled != null) {
      throw new Fault.Cancelled(cancelled);
    }
  }

  private static boolean hasEnded(Process process, Duration timeout) throws InterruptedException {
    if (timeout.isZero()) {
      process.waitFor();
      return true;
    }
    return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  Fault.External failed(
      String when, JobHook hook, String how, String output, @Nullable Exception cause) {
    return new Fault.External(
        job.place(hook.line()) + ": the hook " + when + ", '" + hook.label() + "', " + how,
        output,
        cause);
  }
}
