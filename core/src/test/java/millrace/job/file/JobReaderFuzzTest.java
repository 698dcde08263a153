package millrace.job.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.spelling.Utf8;
import millrace.fault.Fault;
import millrace.plan.mapping.MappingWords;
import millrace.text.HiddenValues;
import millrace.text.NameList;

/// Whatever a job file holds, it is a job, or it is refused with a line that the file has.
class JobReaderFuzzTest {

  private static final String SECRET = "pa55-tHe-wOrd";

  private static final int KEY_LETTERS_MAX = 90;

  private static final Set<String> OPTIONS =
      Set.of("mode", "key", "where", "select", "lanes", "columns", "rename", "add", "rejects");

  private static final Pattern PLACE = Pattern.compile("job\\.yaml, line (\\d+): (?s:.+)");

  private static JobDescription parse(String text, HiddenValues hidden) {
    return JobReader.parse(
        "job.yaml",
        text,
        new JobInputs(
            OPTIONS, Map.of(), Map.of("SECRET", SECRET, "SHOP", "shop.db"), name -> name, hidden));
  }

  @FuzzTest
  void aJobIsReadOrRefusedWithItsLine(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    if (text.contains(SECRET)) {
      return;
    }
    // YAML's own lines end at more than these.
    long lines = text.split("\r\n|[\r\n\u0085\u2028\u2029]", -1).length;
    HiddenValues hidden = new HiddenValues();
    try {
      JobDescription job = parse(text, hidden);
      Set<String> names = new HashSet<>();
      assertThat(job.streams()).isNotEmpty();
      for (JobStream stream : job.streams()) {
        assertThat((long) stream.line()).isBetween(1L, lines);
        assertThat(names.add(stream.name())).isTrue();
        stream
            .settings()
            .values()
            .forEach(each -> assertThat((long) each.line()).isBetween(1L, lines));
      }
    } catch (Fault.User fault) {
      String message = String.valueOf(fault.getMessage());
      if (message.equals("job.yaml is empty.")) {
        return;
      }
      Matcher place = PLACE.matcher(message);
      assertThat(place.matches()).as(message).isTrue();
      assertThat(Long.parseLong(place.group(1))).as(message).isBetween(1L, lines);
      assertThat(hidden.in(message + fault.advice())).doesNotContain(SECRET);
    }
  }

  /// The first line is the name of a stream, the second a condition, the others are columns. What
  /// is written as a job file has to hold it is what a copy is given.
  @FuzzTest
  void whatIsWrittenIsWhatACopyIsGiven(byte[] data) {
    if (Utf8.firstInvalid(data, 0, data.length) >= 0) {
      return;
    }
    List<String> lines = List.of(new String(data, StandardCharsets.UTF_8).split("\n", -1));
    List<String> columns = lines.stream().skip(2).distinct().toList();
    // YAML bounds the length of a key.
    boolean isLong = lines.stream().anyMatch(each -> each.length() > KEY_LETTERS_MAX);
    if (columns.isEmpty() || columns.contains("") || isLong) {
      return;
    }
    StringBuilder text = new StringBuilder("streams:\n  ");
    text.append(quoted(lines.get(0))).append(":\n    where: ").append(quoted(lines.get(1)));
    text.append("\n    key:\n");
    columns.forEach(column -> text.append("      - ").append(quoted(column)).append('\n'));
    text.append("    rename:\n");
    Map<String, String> renames = new LinkedHashMap<>();
    for (String column : columns) {
      renames.put(column, "to " + renames.size() + ", and so on");
      text.append("      ").append(quoted(column)).append(": '");
      text.append(renames.get(column)).append("'\n");
    }
    JobStream stream = parse(text.toString(), new HiddenValues()).streams().getFirst();
    assertThat(stream.name()).isEqualTo(lines.get(0));
    assertThat(given(stream, "where")).isEqualTo(lines.get(1));
    assertThat(NameList.parse("--key", given(stream, "key"))).isEqualTo(columns);
    assertThat(MappingWords.renames(List.of(given(stream, "rename")))).isEqualTo(renames);
  }

  private static String given(JobStream stream, String name) {
    StreamSetting setting = stream.settings().get(name);
    return setting == null ? "nothing" : setting.value();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    JobVariables.escaped(text)
        .codePoints()
        .forEach(each -> {
          if (each >= ' ' && each < 0x7F) {
            quoted.append(each == '"' || each == '\\' ? "\\" : "").append((char) each);
          } else {
            quoted.append(String.format(Locale.ROOT, "\\U%08x", each));
          }
        });
    return quoted.append('"').toString();
  }
}
