package millrace.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.cli.Context;
import millrace.cli.job.StreamEnds;
import millrace.cli.option.CopyRequest;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.StreamRequest;
import millrace.connectors.Connectors;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.job.NameTemplate;
import millrace.job.TableCopy;
import millrace.job.TableTargets;
import millrace.job.TableTargets.Pair;
import millrace.job.TargetPlaces;
import millrace.job.file.JobDescription;
import millrace.job.file.JobStream;
import millrace.job.file.StreamSetting;
import millrace.plan.Endpoints;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import org.jspecify.annotations.Nullable;

/// The copies of a job file. What can't be done is told with its line, before the first row moves.
final class RunPlan {

  /// A copy of a stream.
  record Planned(JobStream stream, Pair pair, TableCopy copy) {}

  private final Context context;
  private final JobDescription job;
  private final OutputOptions output;
  private final ResumeChoice resume;
  private final Endpoints endpoints;
  private final List<Planned> planned = new ArrayList<>();
  private final TargetPlaces<Planned> places = new TargetPlaces<>();
  private final Map<Path, Planned> rejectFiles = new HashMap<>();

  private RunPlan(Context context, JobDescription job, OutputOptions output, ResumeChoice resume) {
    this.context = context;
    this.job = job;
    this.output = output;
    this.resume = resume;
    endpoints = context.endpoints();
  }

  /// Finds out which copies a job asks for.
  ///
  /// @param only names of streams or tables that are meant alone; all if empty
  /// @throws Fault.User if something in the job can't be done
  static RunPlan open(
      Context context,
      JobDescription job,
      OutputOptions output,
      ResumeChoice resume,
      List<String> only) {
    RunPlan plan = new RunPlan(context, job, output, resume);
    plan.planAll(only);
    return plan;
  }

  /// The copies, in the order of the file.
  List<Planned> planned() {
    return planned;
  }

  private void planAll(List<String> only) {
    Set<String> streams = job.streams().stream().map(JobStream::name).collect(Collectors.toSet());
    boolean namesStreams = streams.containsAll(only);
    for (JobStream stream : job.streams()) {
      boolean isMeant = only.isEmpty() || !namesStreams || only.contains(stream.name());
      if (!stream.disabled() && isMeant) {
        plan(stream);
      }
    }
    if (!namesStreams) {
      keepOnly(only);
    }
    if (planned.isEmpty()) {
      throw new Fault.User(job.file() + " leaves no stream to copy.", "All are disabled.");
    }
  }

  private void keepOnly(List<String> only) {
    Set<String> known = new HashSet<>();
    for (Planned each : planned) {
      known.add(each.stream().name());
      known.add(each.copy().name());
    }
    for (String name : only) {
      if (!known.contains(name)) {
        String hint = Nearest.hint(name, known);
        throw new Fault.User(
            "--only " + name + ": " + job.file() + " has no such stream.",
            hint.isEmpty() ? "millrace run " + job.file() + " --dry-run names all." : hint);
      }
    }
    planned.removeIf(
        each -> !only.contains(each.stream().name()) && !only.contains(each.copy().name()));
  }

  private void plan(JobStream stream) {
    StreamEnds ends = new StreamEnds(job, endpoints);
    try {
      StreamRequest asked = StreamRequest.of(ends.from(stream), ends.to(stream), words(stream));
      CopyRequest request = asked.request();
      List<Endpoint> both = request.ends(endpoints);
      refuseStandardStreams(both);
      boolean isMany = asked.many().namesTables() || request.namesMany(endpoints);
      if (stream.query() != null && isMany) {
        planQuery(stream, request, both);
      } else if (isMany) {
        planTables(stream, asked, both);
      } else {
        asked.many().refuseForOne();
        planOne(stream, request);
      }
    } catch (Fault.User e) {
      throw placed(stream, e);
    }
  }

  private static Map<String, String> words(JobStream stream) {
    Map<String, String> words = new LinkedHashMap<>();
    stream.settings().forEach((name, setting) -> words.put(name, setting.value()));
    return words;
  }

  private static void refuseStandardStreams(List<Endpoint> ends) {
    if (ends.stream().anyMatch(Endpoint::isStandardStream)) {
      throw new Fault.User(
          "Standard input and output are for a copy of one table.", "Name a file.");
    }
  }

  /// The same fault with the line of what is wrong.
  private Fault.User placed(JobStream stream, Fault.User fault) {
    String message = String.valueOf(fault.getMessage());
    if (message.startsWith(job.file() + ", line ")) {
      return fault;
    }
    int line = stream.line();
    for (StreamSetting setting : stream.settings().values()) {
      if (message.matches("(?s).*--" + setting.name() + "(?![a-z-]).*")) {
        line = setting.line();
      }
    }
    return new Fault.User(job.place(line) + ": " + message, fault.advice(), fault);
  }

  private void planOne(JobStream stream, CopyRequest request) {
    Job asked = request.job(endpoints);
    Pair pair = new Pair(entry(stream, asked.from(), request), asked.to());
    Path rejects = asked.rejects().file();
    boolean isTemplate = rejects != null && NameTemplate.hasVariable(rejects.toString());
    add(stream, pair, stream.name(), spec(request, isTemplate ? request.job(pair) : asked));
  }

  /// One table or file, or all files of a glob, with its size if somebody knows it.
  ///
  /// @throws Fault.User if there is no such file
  private TableEntry entry(JobStream stream, Endpoint from, CopyRequest request) {
    TableCatalog catalog = Connectors.ALL.of(from).capability(TableCatalog.class);
    boolean isFile =
        Connectors.ALL.of(from).options().stream()
            .noneMatch(option -> option.name().equals("table"));
    if (catalog == null || !(isFile || from.parameters().containsKey("table"))) {
      return entry(stream, from, -1);
    }
    List<TableEntry> found = context.endOpener(request.retryPolicy(), output).tables(from, catalog);
    if (isFile && found.isEmpty()) {
      throw new Fault.User("There is no file " + from.label() + ".", "Mend its name.");
    }
    if (found.size() == 1) {
      TableEntry one = found.getFirst();
      return new TableEntry(
          one.schema(),
          one.name(),
          one.written(),
          one.kind(),
          one.rows(),
          one.bytes(),
          one.key(),
          from);
    }
    long bytes = found.stream().mapToLong(TableEntry::bytes).sum();
    return entry(stream, from, found.isEmpty() ? -1 : bytes);
  }

  private static TableEntry entry(JobStream stream, Endpoint from, long bytes) {
    return NamedTables.unlisted(stream.name(), from, bytes);
  }

  private void planQuery(JobStream stream, CopyRequest request, List<Endpoint> ends) {
    Endpoint from = ends.getFirst();
    TableEntry entry = entry(stream, from, -1);
    Endpoint to = new NameTemplate(ends.getLast()).of(entry, false);
    Pair pair = new Pair(entry, to);
    add(stream, pair, stream.name(), spec(request, request.job(pair)));
  }

  private void planTables(JobStream stream, StreamRequest asked, List<Endpoint> ends) {
    Endpoint from = ends.getFirst();
    Endpoint to = ends.getLast();
    List<TableEntry> list =
        NamedTables.listOrOne(
            context.endOpener(asked.request().retryPolicy(), output),
            from,
            "Write a stream for each.");
    List<String> others = others(stream);
    List<TableEntry> chosen =
        TableTargets.chosen(list, from, asked.many().only(), asked.many().excluded()).stream()
            .filter(entry -> others.stream().noneMatch(name -> isOf(name, entry)))
            .toList();
    if (chosen.isEmpty()) {
      throw new Fault.User(
          "each table of " + stream.name() + " is a stream of its own.", "Leave it out.");
    }
    boolean sameSystem = NamedTables.sameSystem(from, to);
    for (Pair pair : TableTargets.pairs(chosen, new NameTemplate(to), sameSystem)) {
      add(stream, pair, pair.from().label(), spec(asked.request(), asked.request().job(pair)));
    }
  }

  private static boolean isOf(String stream, TableEntry entry) {
    return TableTargets.isMeant(stream, entry) || stream.equals(entry.end().location());
  }

  /// The streams that are no wildcard and so take their tables out of those that are.
  private List<String> others(JobStream wildcard) {
    return job.streams().stream()
        .filter(stream -> !stream.equals(wildcard))
        .map(JobStream::name)
        .filter(name -> name.indexOf('*') < 0 && name.indexOf('?') < 0)
        .map(name -> name.replaceFirst("^file:(//)?", ""))
        .toList();
  }

  private CopySpec spec(CopyRequest request, Job asked) {
    return request.spec(asked, resume, CopySpec.Measures.NONE);
  }

  /// @param spelled what the copy is called; may be an end with a password
  private void add(JobStream stream, Pair pair, String spelled, CopySpec spec) {
    String name = Endpoints.redact(spelled);
    boolean isTaken = planned.stream().anyMatch(each -> each.copy().name().equals(name));
    String own = isTaken ? Endpoints.redact(stream.name()) + ": " + name : name;
    Planned added = new Planned(stream, pair, new TableCopy(own, spec, pair.from().bytes()));
    Planned other = takePlace(pair, added);
    if (other != null) {
      throw job.at(
          stream.line(),
          own
              + " goes to "
              + TableTargets.labelOf(pair.to())
              + ", and so does "
              + other.copy().name()
              + " of line "
              + other.stream().line()
              + ".",
          "Give one of them another object:.");
    }
    Path rejects = spec.job().rejects().file();
    Planned same =
        rejects == null ? null : rejectFiles.put(rejects.toAbsolutePath().normalize(), added);
    if (same != null) {
      throw new Fault.User(
          "--rejects " + rejects + " is that of " + same.copy().name() + " too.",
          "Write {table} in its name, such as bad-{table}.csv.");
    }
    planned.add(added);
  }

  /// Takes the place that a copy goes to; of files the one place that all paths to it mean.
  private @Nullable Planned takePlace(Pair pair, Planned who) {
    Endpoint to = pair.to();
    List<Path> paths = Connectors.ALL.of(to).place(to).paths();
    return to.text("table").isEmpty() && !paths.isEmpty()
        ? places.take(
            paths.stream().map(path -> path.toAbsolutePath().normalize()).toList().toString(), who)
        : places.take(to, NamedTables.sameSystem(pair.from().end(), to), who);
  }
}
