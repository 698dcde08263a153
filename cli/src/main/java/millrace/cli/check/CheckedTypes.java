package millrace.cli.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.cli.check.OracleSample.Value;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;

/// Whether values of every type arrive as the server would have written them itself: their bytes,
/// by its own DUMP, are those of the same literals. One thread.
final class CheckedTypes {

  private static final WriteOptions ADDS = new WriteOptions(Mode.APPEND, false, List.of(), false);

  private final CheckedServer server;
  private final Findings findings;
  private final Path folder;
  private final Map<OracleSample, List<String>> wanted = new LinkedHashMap<>();

  /// @param folder for files of values
  CheckedTypes(CheckedServer server, Findings findings, Path folder) {
    this.server = server;
    this.findings = findings;
    this.folder = folder;
  }

  /// Finds out which types the server has, and the bytes that it gives to their values. All at once
  /// if it has all, else one by one.
  void find() {
    try {
      find(OracleSample.ALL);
    } catch (Fault.User _) {
      OracleSample.ALL.forEach(this::tryOne);
    }
  }

  private void tryOne(OracleSample sample) {
    try {
      find(List.of(sample));
    } catch (Fault.User e) {
      findings.notPossible("type " + sample.type(), String.valueOf(e.getMessage()));
    }
  }

  private void find(List<OracleSample> tried) {
    Endpoint table =
        server.declared(
            "wanted",
            tried.stream()
                .map(OracleSample::defaults)
                .collect(Collectors.joining(", ", " (id NUMBER(9), ", ")")));
    try {
      server.copy(adding(written("id.csv", List.of("id", "0")), table));
      List<String> bytes =
          server
              .query(
                  tried.stream()
                      .map(OracleSample::defaultDumps)
                      .collect(
                          Collectors.joining(
                              ", ", "SELECT ", " FROM " + CheckedServer.table(table))))
              .getFirst();
      for (int i = 0; i < tried.size(); i++) {
        wanted.put(tried.get(i), bytes.subList(i * OracleSample.ROWS, (i + 1) * OracleSample.ROWS));
      }
    } finally {
      server.drop(table);
    }
  }

  private static Job adding(Endpoint from, Endpoint to) {
    return new Job(from, to, Selection.ALL, ADDS, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
  }

  private static String definition(List<OracleSample> samples) {
    return samples.stream()
        .map(sample -> sample.column() + " " + sample.type())
        .collect(Collectors.joining(", ", " (id NUMBER(9), ", ")"));
  }

  /// Tries all of them in one way of writing, and each by itself if that fails.
  void check(WayOfWriting way) {
    List<OracleSample> samples = List.copyOf(wanted.keySet());
    List<String> wrong;
    try {
      wrong = wrong(samples, way);
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (Fault _) {
      for (OracleSample sample : samples) {
        way.check(findings, name(sample), () -> checked(wrong(List.of(sample), way).getFirst()));
      }
      return;
    }
    for (int i = 0; i < samples.size(); i++) {
      String failure = wrong.get(i);
      way.check(findings, name(samples.get(i)), () -> checked(failure));
    }
  }

  private static String name(OracleSample sample) {
    return "type " + sample.type();
  }

  private static String checked(String wrong) {
    if (!wrong.isEmpty()) {
      throw new Findings.WrongResultException(wrong);
    }
    return "";
  }

  /// What is wrong with each type, in one table; an empty text if nothing is.
  private List<String> wrong(List<OracleSample> tried, WayOfWriting way) {
    Endpoint table = server.declared("types", definition(tried));
    try {
      server.copy(adding(file(tried), CheckedServer.with(table, way.parameters())));
      List<List<String>> arrived =
          server.query(
              tried.stream()
                  .map(sample -> sample.dump() + " AS " + sample.column())
                  .collect(
                      Collectors.joining(
                          ", ",
                          "SELECT ",
                          " FROM " + CheckedServer.table(table) + " ORDER BY id")));
      return IntStream.range(0, tried.size())
          .mapToObj(i -> wrong(tried.get(i), i, arrived))
          .toList();
    } finally {
      server.drop(table);
    }
  }

  private String wrong(OracleSample sample, int column, List<List<String>> arrived) {
    if (arrived.size() != OracleSample.ROWS) {
      return OracleSample.ROWS + " rows became " + arrived.size();
    }
    List<String> bytes = wanted.getOrDefault(sample, List.of());
    for (int i = 0; i < OracleSample.ROWS; i++) {
      String got = arrived.get(i).get(column);
      if (!got.equals(bytes.get(i))) {
        return sample.values().get(i).text() + " became " + got + " instead of " + bytes.get(i);
      }
    }
    return "";
  }

  private Endpoint file(List<OracleSample> tried) {
    List<String> lines = new ArrayList<>();
    lines.add("id," + tried.stream().map(OracleSample::column).collect(Collectors.joining(",")));
    for (int row = 0; row < OracleSample.ROWS; row++) {
      int at = row;
      lines.add(
          row
              + ","
              + tried.stream()
                  .map(sample -> sample.values().get(at))
                  .map(Value::text)
                  .map(text -> text.isEmpty() ? "" : "\"" + text + "\"")
                  .collect(Collectors.joining(",")));
    }
    return written("types.csv", lines);
  }

  private Endpoint written(String name, List<String> lines) {
    Path file = folder.resolve(name);
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }
}
