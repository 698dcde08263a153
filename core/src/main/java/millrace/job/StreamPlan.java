package millrace.job;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.job.TableTargets.Pair;
import millrace.job.file.JobDescription;
import millrace.job.file.JobStream;
import millrace.job.file.StreamSetting;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import org.jspecify.annotations.Nullable;

/// The copies of a job file. What can't be done is told with its line, before the first row moves.
final class StreamPlan {

  private final JobContext context;
  private final JobDescription job;
  private final StreamOptions options;
  private final StreamEnds ends;
  private final List<TableCopy> planned = new ArrayList<>();
  private final TargetPlaces<TableCopy> places = new TargetPlaces<>();
  private final Map<Path, TableCopy> rejectFiles = new HashMap<>();

  private StreamPlan(JobContext context, JobDescription job, StreamOptions options) {
    this.context = context;
    this.job = job;
    this.options = options;
    ends = new StreamEnds(context.connectors(), context.endpoints(), job, options.names());
  }

  /// The copies that a job asks for, in the order of the file.
  ///
  /// @param only names of streams or tables that are meant alone; all if empty
  /// @throws Fault.User if something in the job can't be done
  static List<TableCopy> copies(
      JobContext context, JobDescription job, StreamOptions options, List<String> only) {
    StreamPlan plan = new StreamPlan(context, job, options);
    plan.planAll(only);
    return plan.planned;
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
    planned.forEach(each -> known.addAll(names(each)));
    for (String name : only) {
      if (!known.contains(name)) {
        String hint = Nearest.hint(name, known);
        throw new Fault.User(
            "--only " + name + ": " + job.file() + " has no such stream.",
            hint.isEmpty() ? "millrace run " + job.file() + " --dry-run names all." : hint);
      }
    }
    planned.removeIf(each -> names(each).stream().noneMatch(only::contains));
  }

  private static List<String> names(TableCopy copy) {
    return List.of(copy.name(), copy.stream().name());
  }

  private void plan(JobStream stream) {
    try {
      TablesRequest request = options.read(ends.from(stream), ends.to(stream), words(stream));
      if (request.from().isStandardStream() || request.to().isStandardStream()) {
        throw new Fault.User(
            "Standard input and output are for a copy of one table.", "Name a file.");
      }
      if (!request.many()) {
        TableEntry entry = entry(stream, request);
        add(stream, new Pair(entry, request.to()), stream.name(), request);
      } else if (stream.query() != null) {
        TableEntry entry = entry(stream, request.from(), -1);
        add(
            stream,
            new Pair(entry, new NameTemplate(request.to()).of(entry, false)),
            stream.name(),
            request);
      } else {
        planTables(stream, request);
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

  /// One table or file, or all files of a glob, with its size if somebody knows it.
  ///
  /// @throws Fault.User if there is no such file
  private TableEntry entry(JobStream stream, TablesRequest request) {
    Endpoint from = request.from();
    TableCatalog catalog = context.connectors().of(from).capability(TableCatalog.class);
    boolean isFile =
        context.connectors().of(from).options().stream()
            .noneMatch(option -> option.name().equals("table"));
    if (catalog == null || !(isFile || from.parameters().containsKey("table"))) {
      return entry(stream, from, -1);
    }
    List<TableEntry> found = context.endOpener(request.each().retryPolicy()).tables(from, catalog);
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

  private void planTables(JobStream stream, TablesRequest request) {
    Endpoint from = request.from();
    Endpoint to = request.to();
    List<TableEntry> list =
        NamedTables.listOrOne(
            context, request.each().retryPolicy(), from, "Write a stream for each.");
    List<String> others = others(stream);
    List<TableEntry> chosen =
        TableTargets.chosen(list, from, request.only(), request.excluded()).stream()
            .filter(entry -> others.stream().noneMatch(name -> isOf(name, entry)))
            .toList();
    if (chosen.isEmpty()) {
      throw new Fault.User(
          "each table of " + stream.name() + " is a stream of its own.", "Leave it out.");
    }
    boolean sameSystem = context.sameSystem(from, to);
    for (Pair pair : TableTargets.pairs(chosen, new NameTemplate(to), sameSystem)) {
      add(stream, pair, pair.from().label(), request);
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

  /// @param spelled what the copy is called; may be an end with a password
  private void add(JobStream stream, Pair pair, String spelled, TablesRequest request) {
    CopySpec spec = request.spec(pair);
    String name = Endpoints.redact(spelled);
    boolean isTaken = planned.stream().anyMatch(each -> each.name().equals(name));
    String unique = isTaken ? Endpoints.redact(stream.name()) + ": " + name : name;
    TableCopy added = new TableCopy(unique, spec, pair.from(), stream);
    TableCopy other = takePlace(added);
    if (other != null) {
      throw job.at(
          stream.line(),
          unique
              + " goes to "
              + TableTargets.labelOf(pair.to())
              + ", and so does "
              + other.name()
              + " of line "
              + other.stream().line()
              + ".",
          "Give one of them another object:.");
    }
    Path rejects = spec.job().rejects().file();
    TableCopy same =
        rejects == null ? null : rejectFiles.put(rejects.toAbsolutePath().normalize(), added);
    if (same != null) {
      throw new Fault.User(
          "--rejects " + rejects + " is that of " + same.name() + " too.",
          "Write {table} in its name, such as bad-{table}.csv.");
    }
    planned.add(added);
  }

  /// Takes the place that a copy goes to; of files the one place that all paths to it mean.
  private @Nullable TableCopy takePlace(TableCopy who) {
    Endpoint to = who.to();
    List<Path> paths = context.connectors().of(to).place(to).paths();
    return to.text("table").isEmpty() && !paths.isEmpty()
        ? places.take(
            paths.stream().map(path -> path.toAbsolutePath().normalize()).toList().toString(), who)
        : places.take(to, context.sameSystem(who.from(), to), who);
  }
}
