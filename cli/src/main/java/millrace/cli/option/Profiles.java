package millrace.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.report.AtomicFile;
import millrace.report.sweep.Knee;
import millrace.report.sweep.Sweep;
import millrace.report.sweep.SweepStore;
import millrace.report.sweep.SweepText;

/// Settings of copies by name: files that `millrace sweep --profile-name` writes, one each, beside
/// the connections file; users may write more. A sweep that is kept is a profile by its own name.
public final class Profiles {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private final Path folder;
  private final SweepStore sweeps;

  public Profiles(Path folder, SweepStore sweeps) {
    this.folder = folder;
    this.sweeps = sweeps;
  }

  private Path file(String name) {
    return folder.resolve(name + ".yaml");
  }

  /// Sees to it that a profile can have that name.
  ///
  /// @throws Fault.User if it can't
  public static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Fault.User(
          "'" + name + "' is no name for a profile.",
          "Use letters, digits, dots, dashes and underscores, a letter or digit first.");
    }
  }

  /// The settings of a profile, by option name without dashes.
  ///
  /// @throws Fault.User if there is none, or it can't be understood
  public Map<String, String> find(String name) {
    check(name);
    if (Files.exists(file(name))) {
      return read(file(name));
    }
    Sweep sweep = sweeps.has(name) ? sweeps.find(name) : null;
    if (sweep == null) {
      throw new Fault.User(
          "There is no profile " + name + " in " + folder + ".",
          "`millrace sweep FROM TO --vary … --profile-name " + name + "` writes it.");
    }
    return of(sweep);
  }

  /// The settings of a sweep's knee.
  ///
  /// @throws Fault.User if there is none
  static Map<String, String> of(Sweep sweep) {
    if (!sweep.hasWinner()) {
      throw none(sweep);
    }
    Knee knee = SweepText.knee(sweep);
    return Sweep.settings(sweep.axes(), knee.knee().values());
  }

  /// Says that a sweep is no profile.
  public static Fault.User none(Sweep sweep) {
    if (!sweep.candidates().isEmpty()) {
      return new Fault.User(
          "The sweep " + sweep.id() + " makes no profile: its settings differ by noise alone.",
          "More rows, or more repeats, may tell them apart.");
    }
    return new Fault.User(
        "The sweep "
            + sweep.id()
            + " makes no profile: none of its settings took effect as requested.",
        "`millrace compare " + sweep.id() + "` says what ran instead.");
  }

  private static Map<String, String> read(Path file) {
    JsonNode options;
    try {
      options = Connections.yaml().readTree(file.toFile()).path("options");
    } catch (IOException e) {
      throw new Fault.User(
          file + " can't be read as YAML.",
          "Write options:, below it read-unit: 200, no name twice and no second document.",
          e);
    }
    if (!options.isObject()) {
      throw new Fault.User(
          file + " has no `options:` with options under it.",
          "Write options:, below it for example read-unit: 200.");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> option : options.properties()) {
      if (!option.getValue().isValueNode() || option.getValue().isNull()) {
        throw new Fault.User(
            file + ": " + option.getKey() + " is not a single value.",
            "Write for example " + option.getKey() + ": 200.");
      }
      settings.put(option.getKey().replace('_', '-'), option.getValue().asText());
    }
    return settings;
  }

  /// Writes the knee of a sweep as a profile, in the place of an earlier one of that name.
  ///
  /// @return its file
  /// @throws Fault.External if it can't be written
  public Path write(String name, Sweep sweep) {
    Path file = file(name);
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("from", sweep.from());
    content.put("to", sweep.to());
    content.put("sweep", sweep.id());
    content.put("options", of(sweep));
    try {
      AtomicFile.write(
          folder, file.getFileName().toString(), new YAMLMapper().writeValueAsString(content));
      return file;
    } catch (IOException e) {
      throw new Fault.External("Can't write the profile " + FileTrouble.of(file, e) + ".", "", e);
    }
  }
}
