package millrace.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.fault.Nearest;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A value of `--mode`.
///
/// @param mode what happens to what the target holds
/// @param steps of a merge, what it does
public record CopyMode(Mode mode, MergeSteps steps) {

  private static final String INSERT_ONLY = "insert-only";

  /// The words for all of them.
  public static List<String> words() {
    List<String> words = new ArrayList<>();
    for (Mode each : Mode.values()) {
      words.add(each.name().toLowerCase(Locale.ROOT));
    }
    words.add(INSERT_ONLY);
    return words;
  }

  /// picocli spells each value that it sets; what a record has for that is made anew at each start.
  @Override
  public String toString() {
    return mode == Mode.MERGE && !steps.updates()
        ? INSERT_ONLY
        : mode.name().toLowerCase(Locale.ROOT);
  }

  /// Reads one.
  static final class Reader implements ITypeConverter<CopyMode> {

    @Override
    public CopyMode convert(String value) {
      String word = value.strip().toLowerCase(Locale.ROOT);
      if (word.equals(INSERT_ONLY)) {
        return new CopyMode(Mode.MERGE, MergeSteps.INSERT_ONLY);
      }
      for (Mode each : Mode.values()) {
        if (each.name().equalsIgnoreCase(word)) {
          return new CopyMode(each, MergeSteps.USUAL);
        }
      }
      throw new TypeConversionException(
          ("there is no mode '" + value + "'. " + Nearest.hint(word, words())).strip()
              + " Modes are "
              + String.join(", ", words())
              + ".");
    }
  }
}
