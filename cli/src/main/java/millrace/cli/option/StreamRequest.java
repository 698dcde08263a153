package millrace.cli.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.StreamOptions;
import millrace.job.TablesRequest;
import millrace.resume.ResumeChoice;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;

/// What a stream of a job file asks for, read as the command line of `millrace copy` would be: so
/// each option means the same in both.
@Command
public final class StreamRequest {

  @Mixin private CopyRequest request;
  @Mixin private ManyOptions many;

  private StreamRequest() {}

  /// The options that a stream may have, by name without dashes.
  public static Map<String, OptionSpec> options() {
    Map<String, OptionSpec> options = new LinkedHashMap<>();
    CopyRequest.line(new StreamRequest())
        .getCommandSpec()
        .options()
        .forEach(option -> options.put(option.longestName().replaceFirst("^--", ""), option));
    options.remove("fail-fast");
    return options;
  }

  /// What reads streams into requests for copies.
  ///
  /// @param choice what becomes of earlier copies that were cut off
  public static StreamOptions reader(Endpoints endpoints, ResumeChoice choice) {
    return new StreamOptions() {
      @Override
      public Set<String> names() {
        return options().keySet();
      }

      @Override
      public TablesRequest read(String from, String to, Map<String, String> settings) {
        return of(from, to, settings).tables(endpoints, choice);
      }
    };
  }

  /// Reads a stream.
  ///
  /// @param from as the command line has it
  /// @param to likewise
  /// @param settings values of options, by name without dashes
  /// @throws Fault.User if an option takes no such value
  public static StreamRequest of(String from, String to, Map<String, String> settings) {
    StreamRequest stream = new StreamRequest();
    CommandLine line = CopyRequest.line(stream);
    List<String> words = new ArrayList<>();
    settings.forEach((name, value) -> {
      OptionSpec option = line.getCommandSpec().findOption("--" + name);
      if (option == null) {
        throw new Fault.Bug("--" + name + " is no option of a copy", null);
      }
      CopyRequest.add(words, option, List.of(value));
    });
    CopyRequest.read(line, words, from, to);
    return stream;
  }

  /// What each of its copies is asked for.
  public CopyRequest request() {
    return request;
  }

  private TablesRequest tables(Endpoints endpoints, ResumeChoice choice) {
    if (many.namesTables() || request.namesMany(endpoints)) {
      return request.tables(endpoints, many, choice);
    }
    many.refuseForOne();
    CopySpec copy = request.spec(request.job(endpoints), choice, CopySpec.Measures.NONE);
    return new TablesRequest(
        copy, List.of(), List.of(), false, TablesRequest.Definitions.TABLES, false);
  }
}
