package millrace.cli.command;

import java.util.List;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.JobProgress;
import millrace.cli.show.Progress;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.endpoint.Endpoints;
import millrace.engine.Run;
import millrace.job.JobListener;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.plan.Plan;
import org.jspecify.annotations.Nullable;

/// Tells how the copies of a job go until it is closed, and keeps their reports. Any thread.
final class JobTeller implements JobListener, AutoCloseable {

  private final Context context;
  private final OutputOptions output;
  private final JobProgress progress = new JobProgress();
  private @Nullable Progress shown;

  JobTeller(Context context, OutputOptions output) {
    this.context = context;
    this.output = output;
  }

  @Override
  public void says(String words) {
    context.teller(output).accept(words);
  }

  @Override
  public void warns(String words) {
    context.console().err().println("millrace: " + Endpoints.redact(words));
  }

  @Override
  public void begins(List<TableCopy> copies) {
    progress.begins(copies.size());
    shown = Progress.start(progress, output, context.console(), context.console().out());
  }

  @Override
  public CopyListener copies(TableCopy copy) {
    return new CopyListener() {
      @Override
      public void says(String words) {
        JobTeller.this.says(copy.name() + ": " + words);
      }

      @Override
      public void warns(String words) {
        JobTeller.this.warns(copy.name() + ": " + words);
      }

      @Override
      public Moving moves(Plan plan, Run run) {
        progress.begins(copy, run);
        return () -> progress.ends(copy);
      }

      @Override
      public void ended(CopyResult result, String method) {
        context.keepOfJob(result.report(), method);
      }
    };
  }

  @Override
  public void ended(TableResult table, @Nullable CopyResult result) {
    progress.done(table);
  }

  @Override
  public void close() {
    if (shown != null) {
      shown.close();
    }
  }
}
