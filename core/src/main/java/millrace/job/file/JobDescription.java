package millrace.job.file;

import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What a job file asks for.
///
/// @param file its name, for messages
/// @param source what streams are read from; null if each names its own end
/// @param target what streams go to; null if each object is an end of its own
/// @param streams in the order of the file
/// @param start what runs before the first stream
/// @param end what runs after the last one
/// @param settings options of the job as a whole, by name
public record JobDescription(
    String file,
    @Nullable StreamSetting source,
    @Nullable StreamSetting target,
    List<JobStream> streams,
    List<JobHook> start,
    List<JobHook> end,
    Map<String, StreamSetting> settings) {

  /// None: nothing runs before or after the copies.
  public static final JobDescription NONE =
      new JobDescription("", null, null, List.of(), List.of(), List.of(), Map.of());

  public JobDescription {
    streams = List.copyOf(streams);
    start = List.copyOf(start);
    end = List.copyOf(end);
    settings = Map.copyOf(settings);
  }

  /// A fault with the place in the file.
  public Fault.User at(int line, String what, String advice) {
    return new Fault.User(place(line) + ": " + what, advice);
  }

  /// A place in the file.
  public String place(int line) {
    return file + ", line " + line;
  }
}
