package millrace.plan.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.data.Type;
import millrace.data.spelling.Utf8;
import millrace.fault.Fault;

/// Whatever a user writes of columns, it is understood or refused by the option's own name; and
/// what is written by its rules means what it says.
class MappingFuzzTest {

  private static final List<Type> TYPES =
      List.of(
          new Type.Bool(),
          new Type.Int(16),
          new Type.Int(64),
          new Type.Float(32),
          new Type.Decimal(18, 4),
          Type.Decimal.UNLIMITED,
          new Type.Date(),
          new Type.Timestamp(true),
          new Type.Uuid(),
          new Type.Bytes(),
          new Type.Text(5),
          new Type.Text(5, Type.Text.Unit.BYTES),
          Type.Text.UNLIMITED,
          new Type.Json());

  private static String quoted(String text, char quote) {
    String mark = String.valueOf(quote);
    return mark + text.replace(mark, mark + mark) + mark;
  }

  @FuzzTest
  void wordsAreUnderstoodOrRefused(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    List<String> words = List.of(text);
    try {
      Map<String, String> renames = MappingWords.renames(words);
      assertThat(renames).isNotEmpty().doesNotContainValue("");
      assertThat(MappingWords.renames(List.of(spelled(renames, "=")))).isEqualTo(renames);
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageStartingWith("--rename ");
    }
    try {
      MappingWords.added(words)
          .forEach((name, value) -> {
            assertThat(name).isNotEmpty();
            if (value instanceof AddedValue.Constant(String given, Type.Decimal type)) {
              BigDecimal number = new BigDecimal(given);
              assertThat(number.scale()).isEqualTo(type.scale());
              assertThat(number.precision()).isLessThanOrEqualTo(type.precision());
            } else if (value instanceof AddedValue.Constant(String given, Type.Int _)) {
              assertThat(Long.toString(Long.parseLong(given)))
                  .isEqualTo(given.equals("-0") ? "0" : given);
            }
          });
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageStartingWith("--add ");
    }
    try {
      List<String> names = MappingWords.names("--drop", words);
      assertThat(names).isNotEmpty().doesNotContain("");
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageStartingWith("--drop ");
    }
    try {
      Map<String, Type> casts = MappingWords.casts(words);
      Map<String, String> labels = new LinkedHashMap<>();
      casts.forEach((name, type) -> labels.put(name, type.label()));
      String again =
          labels.entrySet().stream()
              .map(each -> quoted(each.getKey(), '"') + ":" + each.getValue())
              .collect(Collectors.joining(","));
      assertThat(MappingWords.casts(List.of(again))).isEqualTo(casts);
    } catch (Fault.User fault) {
      assertThat(fault.getMessage()).isNotBlank();
      assertThat(fault.advice()).isNotBlank();
    }
  }

  private static String spelled(Map<String, String> pairs, String between) {
    return pairs.entrySet().stream()
        .map(each -> quoted(each.getKey(), '"') + between + quoted(each.getValue(), '\''))
        .collect(Collectors.joining(","));
  }

  /// Lines are names of columns; in quotes, each means itself.
  @FuzzTest
  void aNameInQuotesIsItself(byte[] data) {
    if (Utf8.firstInvalid(data, 0, data.length) >= 0) {
      return;
    }
    String text = new String(data, StandardCharsets.UTF_8);
    Set<String> names = new LinkedHashSet<>(List.of(text.split("\n", -1)));
    if (names.contains("")) {
      return;
    }
    Map<String, String> renames = new LinkedHashMap<>();
    Map<String, Type> casts = new LinkedHashMap<>();
    StringBuilder cast = new StringBuilder();
    StringBuilder drop = new StringBuilder();
    String last = text;
    for (String name : names) {
      renames.put(name, last);
      last = name;
      Type type = TYPES.get((name.hashCode() & 0xFFFF) % TYPES.size());
      casts.put(name, type);
      cast.append(quoted(name, '"')).append(" : ").append(type.label()).append(" ,");
      drop.append(drop.isEmpty() ? " " : ", ").append(quoted(name, '"'));
    }
    assertThat(MappingWords.renames(List.of(spelled(renames, " = ")))).isEqualTo(renames);
    assertThat(MappingWords.casts(List.of(cast.toString()))).isEqualTo(casts);
    assertThat(MappingWords.names("--drop", List.of(drop.toString())))
        .containsExactlyElementsOf(names);
    MappingWords.added(List.of(spelled(renames, "=")))
        .forEach((name, value) ->
            assertThat(value)
                .isEqualTo(
                    new AddedValue.Constant(
                        Objects.requireNonNull(renames.get(name)), Type.Text.UNLIMITED)));
  }
}
