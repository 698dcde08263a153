package millrace.job;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.job.file.JobDescription;
import millrace.job.file.JobKeys;
import millrace.job.file.JobStream;
import millrace.job.file.StreamSetting;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;

/// The ends of a job's streams, as the command line of a copy would have them. What they hold may
/// be a password, and no message repeats it.
public final class StreamEnds {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");
  private static final Pattern FILE_URL =
      Pattern.compile("file://(localhost(?=/))?(?<path>.*)", Pattern.DOTALL);
  private static final Pattern PARAMETERS = Pattern.compile("\\?(?=[A-Za-z][A-Za-z0-9_-]*(=|&|$))");
  private static final String TABLE = "table";

  private final JobDescription job;
  private final Endpoints endpoints;
  private final ConnectorRegistry connectors;
  private final Set<String> options;

  /// @param options those that a stream may have, by name without dashes
  public StreamEnds(
      ConnectorRegistry connectors, Endpoints endpoints, JobDescription job, Set<String> options) {
    this.connectors = connectors;
    this.endpoints = endpoints;
    this.job = job;
    this.options = options;
  }

  /// Where a stream's rows come from.
  ///
  /// @throws Fault.User if that makes no sense
  public String from(JobStream stream) {
    StreamSetting query = stream.query();
    StreamSetting source = job.source();
    String from;
    if (query == null) {
      from = below(source, stream.name());
    } else if (source == null || isFiles(source.value())) {
      throw job.at(query.line(), "sql: needs a source: that takes queries.", "Name a database.");
    } else {
      from = with(source.value(), "query", query.value());
    }
    return withAll(from, "source_options", stream.sourceOptions(), false);
  }

  /// Where its rows go.
  ///
  /// @throws Fault.User if that makes no sense
  public String to(JobStream stream) {
    StreamSetting object = stream.object();
    StreamSetting target = job.target();
    String to;
    if (object != null) {
      to = below(target, object.value());
    } else if (target == null || isFiles(target.value()) || takesTable(target.value())) {
      throw job.at(
          stream.line(),
          "the stream " + stream.name() + " has no object:, so that nobody knows where it goes.",
          "Write it there, or below defaults: object: '{stream_schema}.{stream_table}'.");
    } else {
      to = target.value();
    }
    return withAll(to, "target_options", stream.targetOptions(), true);
  }

  private String below(@Nullable StreamSetting end, String name) {
    if (end == null || isFiles(end.value()) || name.startsWith("file:")) {
      return path(name);
    }
    String base = end.value();
    if (NAME.matcher(base).matches()) {
      return name.indexOf('?') < 0 ? base + ":" + name : with(base, TABLE, name);
    }
    return takesTable(base) ? with(base, TABLE, name) : inFolder(base, name);
  }

  /// Whether the streams are files with paths of their own, as of Sling's LOCAL.
  private boolean isFiles(String end) {
    return (end.equalsIgnoreCase("local") && !endpoints.hasConnection(end))
        || end.equals("file:")
        || end.equals("file://");
  }

  private boolean takesTable(String end) {
    return NAME.matcher(end).matches()
        || connectors.of(endpoints.parse(end)).options().stream()
            .anyMatch(option -> option.name().equals(TABLE));
  }

  /// `file://in/a.csv` is a path from here, as in Sling.
  private static String path(String text) {
    Matcher url = FILE_URL.matcher(text);
    return url.matches() ? url.group("path") : text;
  }

  private static String inFolder(String base, String name) {
    Matcher parameters = PARAMETERS.matcher(base);
    int end = parameters.find() ? parameters.start() : base.length();
    String folder = path(base.substring(0, end));
    return (folder.endsWith("/") || folder.endsWith(":") ? folder : folder + "/")
        + name
        + base.substring(end);
  }

  private String withAll(
      String end, String key, Map<String, StreamSetting> parameters, boolean isTarget) {
    if (parameters.isEmpty()) {
      return end;
    }
    Endpoint parsed = endpoints.parse(end);
    Set<String> known =
        connectors.of(parsed).options().stream()
            .filter(option -> option.of().fits(isTarget))
            .map(Option::name)
            .collect(Collectors.toSet());
    String all = end;
    for (StreamSetting parameter : parameters.values()) {
      if (!known.contains(parameter.name())) {
        throw job.at(
            parameter.line(),
            key + ": " + parameter.name() + " means nothing to " + parsed.label() + ".",
            advice(parameter.name(), known));
      }
      all = with(all, parameter.name(), parameter.value());
    }
    return all;
  }

  /// What to write in the place of a parameter that means nothing: that of Sling's, the nearest
  /// one, or the option of copy, which stands beside object:.
  private String advice(String name, Set<String> known) {
    String instead = JobKeys.PARAMETERS_OF_SLING.get(name);
    if (instead != null) {
      return instead;
    }
    return options.contains(name)
        ? "It is an option of the stream: write " + name + ": next to object:."
        : Nearest.hint(name, known);
  }

  private static String with(String end, String name, String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    return end + (PARAMETERS.matcher(end).find() ? "&" : "?") + name + "=" + encoded;
  }
}
