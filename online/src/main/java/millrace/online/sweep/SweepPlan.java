package millrace.online.sweep;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.report.sweep.Axis;

/// What a sweep runs. It is complete before the first run begins: a value that can't be is refused
/// at once, not after a night.
///
/// @param axes what is varied, each with its values
/// @param combinations every value of each with every value of the others; the last axis changes
///   fastest
public record SweepPlan(List<Axis> axes, List<Combination> combinations) {

  private static final String VARIABLE = "MILLRACE_VARY_";

  /// One run of a sweep.
  ///
  /// @param settings the value of each axis, in their order
  /// @param job with those settings that are its own
  public record Combination(Map<String, String> settings, OnlineJob job) {

    public Combination {
      settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /// The environment variables that tell a command of the settings.
    public Map<String, String> environment() {
      Map<String, String> environment = new LinkedHashMap<>();
      settings.forEach((name, value) -> environment.put(variable(name), value));
      return environment;
    }

    private Combination with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(settings);
      more.put(name, value);
      Optional<JobSetting> setting = JobSetting.of(name);
      return new Combination(more, setting.isEmpty() ? job : setting.get().set(job, value));
    }
  }

  public SweepPlan {
    axes = List.copyOf(axes);
    combinations = List.copyOf(combinations);
  }

  /// Plans a sweep.
  ///
  /// @param varied `NAME=VALUE,VALUE`, one for each axis
  /// @param hasCommand whether a command runs before each run, which may know more names
  /// @throws Fault.User if one of the runs can't be
  public static SweepPlan of(OnlineJob job, List<String> varied, boolean hasCommand) {
    List<Axis> axes = varied.stream().map(Axis::parse).toList();
    List<Combination> combinations = List.of(new Combination(Map.of(), job));
    for (int i = 0; i < axes.size(); i++) {
      Axis axis = axes.get(i);
      if (axes.subList(0, i).stream().anyMatch(other -> other.name().equals(axis.name()))) {
        throw new Fault.User(
            "--vary " + axis.name() + " is there twice.", "Write all of its values in one.");
      }
      if (!hasCommand && JobSetting.of(axis.name()).isEmpty()) {
        throw unknown(axis.name());
      }
      combinations = product(combinations, axis);
    }
    combinations.forEach(each -> check(each.job()));
    return new SweepPlan(axes, combinations);
  }

  /// The name of the environment variable that has a setting's value.
  public static String variable(String name) {
    return VARIABLE + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /// What is varied and is no setting of a job: the command alone can set it.
  public List<String> onlyForCommand() {
    return axes.stream().map(Axis::name).filter(name -> JobSetting.of(name).isEmpty()).toList();
  }

  private static Fault.User unknown(String name) {
    return new Fault.User(
        "--vary " + name + " is no setting of an online run.",
        "These are: "
            + JobSetting.all()
            + ". For any other, name a command that sets it from "
            + variable(name)
            + ":\n  --before COMMAND");
  }

  private static List<Combination> product(List<Combination> combinations, Axis axis) {
    List<Combination> product = new ArrayList<>();
    for (Combination each : combinations) {
      for (String value : axis.values()) {
        product.add(each.with(axis.name(), value));
      }
    }
    return product;
  }

  private static void check(OnlineJob job) {
    OnlineJob.Load load = job.load();
    if (load.clients() > load.rows()) {
      throw new Fault.User(
          load.rows() + " rows a second by " + load.clients() + " clients can't be.",
          "Each client writes a row or more.");
    }
  }
}
