package millrace.cli.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.Connectors;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.job.file.JobVariables;
import millrace.report.AtomicFile;
import millrace.spi.Endpoint;

/// Writes the job of a copy that was typed. No password is written: it becomes a variable of the
/// environment.
public final class JobSaver {

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9_-]+):([^?]+)", Pattern.DOTALL);
  private static final Pattern FILE_URL =
      Pattern.compile("file://(?:localhost)?(/.*)", Pattern.DOTALL);
  private static final Pattern IN_AUTHORITY =
      Pattern.compile("(?<=://)([^/?#:]*):([^/?#]*)@", Pattern.DOTALL);
  private static final Pattern IN_PARAMETER =
      Pattern.compile("(?i)([?&;]\\s*password\\s*=)([^&;]*)", Pattern.DOTALL);

  private static final String PROBE = "x";

  private final Endpoints endpoints;

  public JobSaver(Endpoints endpoints) {
    this.endpoints = endpoints;
  }

  /// A copy as it was typed.
  ///
  /// @param from may hold a password
  /// @param to likewise
  /// @param settings the values of its options, by name without dashes
  /// @param ofJob those of them that are the job's
  public record Typed(
      String from, String to, Map<String, String> settings, Map<String, String> ofJob) {

    @Override
    public String toString() {
      return "a copy as it was typed";
    }
  }

  /// Writes the job to a file, which only the user may read.
  ///
  /// @return the file
  /// @throws Fault.User if it is there already, or a password can't be told from the rest
  public Path save(Path file, Typed typed) {
    if (Files.exists(file)) {
      throw new Fault.User(
          "--save " + file + " exists already.", "Name another file, or remove that one.");
    }
    Path absolute = file.toAbsolutePath();
    try {
      AtomicFile.write(
          Objects.requireNonNull(absolute.getParent(), "the root exists"),
          String.valueOf(file.getFileName()),
          yaml(typed));
      return file;
    } catch (IOException e) {
      throw new Fault.External("Can't write " + FileTrouble.of(file, e) + ".", "", e);
    }
  }

  /// The job as text.
  ///
  /// @throws Fault.User if a password can't be told from the rest
  public String yaml(Typed typed) throws JsonProcessingException {
    Map<String, Object> job = new LinkedHashMap<>();
    Map<String, Object> stream = new LinkedHashMap<>();
    String name = end(job, "source", typed.from());
    String object = end(job, "target", typed.to());
    stream.put("object", written(typed.to(), object, "TO", JobVariables::escapedTemplate));
    typed.settings().forEach((option, value) -> stream.put(option, setting(option, value)));
    if (!typed.ofJob().isEmpty()) {
      job.put("defaults", typed.ofJob());
    }
    job.put("streams", Map.of(written(typed.from(), name, "FROM", JobVariables::escaped), stream));
    return YAML.writeValueAsString(job);
  }

  private static String setting(String option, String value) {
    if (!Endpoints.redact(value).equals(value)) {
      throw new Fault.User(
          "--save would write a password that --" + option + " holds.",
          "Put it into a connection.");
    }
    return option.equals("rejects")
        ? JobVariables.escapedTemplate(value)
        : JobVariables.escaped(value);
  }

  /// What a stream or object is called; its connection goes into the job.
  private String end(Map<String, Object> job, String key, String text) {
    Matcher named = NAMED.matcher(text);
    if (named.matches()
        && endpoints.hasConnection(named.group(1))
        && !named.group(2).startsWith("file:")
        && !isSystem(named.group(1))) {
      job.put(key, named.group(1));
      return named.group(2);
    }
    Matcher url = FILE_URL.matcher(text);
    return url.matches() ? "file:" + url.group(1) : text;
  }

  /// A system's own name wins over that of a connection.
  private static boolean isSystem(String name) {
    return Connectors.ALL.all().stream()
        .anyMatch(connector -> connector.schemes().contains(name.toLowerCase(Locale.ROOT)));
  }

  /// An end with a variable in the place of its password.
  private String written(
      String typed, String name, String variable, UnaryOperator<String> escaped) {
    Endpoint end = endpoints.parse(typed);
    String secret = end.secret().reveal();
    if (secret == null || !name.equals(typed)) {
      return escaped.apply(name);
    }
    for (Pattern pattern : List.of(IN_AUTHORITY, IN_PARAMETER)) {
      Matcher password = pattern.matcher(typed);
      if (password.find()) {
        String before = typed.substring(0, password.start(2));
        String after = typed.substring(password.end(2));
        Endpoint other = endpoints.parse(before + PROBE + after);
        if (PROBE.equals(other.secret().reveal())
            && other.location().equals(end.location())
            && other.parameters().equals(end.parameters())) {
          return escaped.apply(before) + "${" + variable + "_PASSWORD}" + escaped.apply(after);
        }
      }
    }
    if (typed.contains(":/") || typed.contains("=")) {
      throw new Fault.User(
          "--save can't tell the password of an end from the rest of it.",
          "Put the end into a connection.");
    }
    return escaped.apply(name);
  }
}
