package millrace.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Values that may be secrets, such as those that a job file takes from the environment: what is
/// printed or kept shows how the user spelled them instead. Any thread.
public final class HiddenValues {

  /// What is shorter is part of many words, and no secret.
  private static final int LETTERS_MIN = 4;

  /// Of a value that was cut, no more than that is shown.
  private static final int PART_MAX = 250;

  /// What follows a value of which a message shows the beginning alone.
  private static final List<String> CUTS = List.of("…", " …", "...", "' at line ");

  /// The strings of a line of JSON, with the colon behind those that are names of fields; texts and
  /// attributes of XML.
  private static final Pattern STRING =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"(?<name>\\s*:)?+|(?<=>)[^<>]++(?=<)");

  /// By value, the longest first: one may be a part of another.
  private final Map<String, String> spellings =
      new ConcurrentSkipListMap<>(
          Comparator.comparingInt(String::length)
              .reversed()
              .thenComparing(Comparator.naturalOrder()));

  /// Shows the spelling in the place of a value from now on, also of each of its lines, and of what
  /// SQL, URLs, JSON and XML make of it; and in the case that servers give to names without quotes.
  ///
  /// @param spelling such as `${TOKEN}`
  public void hide(String value, String spelling) {
    Stream.concat(Stream.of(value), value.lines())
        .map(String::strip)
        .flatMap(
            each -> Stream.of(each, each.toLowerCase(Locale.ROOT), each.toUpperCase(Locale.ROOT)))
        .flatMap(each ->
            Stream.of(
                each,
                each.replace("'", "''"),
                each.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"),
                URLEncoder.encode(each, StandardCharsets.UTF_8).replace("+", "%20"),
                each.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
                each.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;")))
        .filter(each -> each.length() >= LETTERS_MIN)
        .forEach(each -> spellings.putIfAbsent(each, spelling));
  }

  /// The text without them.
  public String in(String text) {
    String shown = text;
    for (Map.Entry<String, String> each : spellings.entrySet()) {
      String replaced = shown.replace(each.getKey(), each.getValue());
      shown = withoutParts(replaced, each.getKey(), each.getValue());
    }
    return shown;
  }

  /// The same of JSON or XML: only what stands in its strings and texts is looked at.
  public String inStrings(String document) {
    return spellings.isEmpty()
        ? document
        : STRING
            .matcher(document)
            .replaceAll(found ->
                Matcher.quoteReplacement(
                    found.group("name") == null ? in(found.group()) : found.group()));
  }

  /// Messages are cut if they are long, and so may be a value in them.
  private static String withoutParts(String text, String value, String spelling) {
    if (CUTS.stream().noneMatch(text::contains)) {
      return text;
    }
    String shown = text;
    for (int length = Math.min(value.length() - 1, PART_MAX); length >= LETTERS_MIN; length--) {
      String beginning = value.substring(0, length);
      for (String cut : CUTS) {
        shown = shown.replace(beginning + cut, spelling + cut);
      }
      shown = shown.replace("… " + value.substring(value.length() - length), "… " + spelling);
    }
    return shown;
  }
}
