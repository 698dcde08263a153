package millrace.connectors.file;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvDialect.Quoting;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Unpacker;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.number.NumberStyle;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.io.store.FileLocation;
import millrace.spi.Endpoint;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// The parameters of file endpoints, and what they say.
public final class FileOptions {

  /// Most digits of a length prefix: what a long holds.
  private static final int PREFIX_DIGITS_MAX = 18;

  private static final int LINES_DIGITS_MAX = 6;

  private static final long FIELD_BYTES_DEFAULT = 16L << 20;

  /// A record is held whole, in an array, beside what it is unescaped to.
  private static final long FIELD_BYTES_MAX = 256L << 20;

  private static final List<String> THOUSANDS = List.of(",", ".", "'", "’", "_", " ", "\u00A0");

  /// What to type if the source's bytes are no characters.
  public static final String CHARSET_ADVICE =
      "Say what the source is written in: --charset NAME, or ?charset=NAME behind its own name.";

  private FileOptions() {}

  /// The dialect that an endpoint asks for.
  ///
  /// @throws Fault.User if a parameter has no such value
  static CsvDialect dialect(Endpoint endpoint) {
    CsvDialect base = preset(endpoint);
    return new CsvDialect(
        endpoint.text("delimiter").map(FileOptions::characters).orElse(base.delimiter()),
        quotes(endpoint, base.quotes()),
        nulls(endpoint, base.nulls()),
        choose(
            endpoint,
            "header",
            Map.of("true", Header.TRUE, "false", Header.FALSE, "auto", Header.AUTO),
            base.header()),
        framing(endpoint, base.framing()),
        new CsvDialect.PassedOver(
            number(endpoint, "skip-lines", LINES_DIGITS_MAX, "lines"),
            endpoint.text("comment").map(FileOptions::characters).orElse(""),
            endpoint.flag("trim", false)),
        endpoint.text("charset").map(FileOptions::charset).orElse(base.charset()),
        new SpellingStyle(
            textOr(endpoint, "date-format", base.temporals().dateFormat()),
            textOr(endpoint, "time-format", base.temporals().timeFormat()),
            textOr(endpoint, "timestamp-format", base.temporals().timestampFormat()),
            endpoint.text("time-zone").map(FileOptions::timeZone).orElse(null),
            numbers(endpoint),
            null,
            zeroDates(endpoint)));
  }

  /// One text is meant as it is; of several, each as it is in a list of names.
  private static CsvDialect.Nulls nulls(Endpoint endpoint, CsvDialect.Nulls base) {
    boolean quoted = endpoint.flag("quoted-null", base.quoted());
    String text = endpoint.text("null-string").orElse(base.text());
    if (text.indexOf(',') < 0) {
      return new CsvDialect.Nulls(text, quoted);
    }
    List<String> all =
        NameList.entries("null-string", text).stream()
            .map(each -> each.quoted() == null ? each.bare() : each.quoted() + each.bare())
            .distinct()
            .toList();
    return new CsvDialect.Nulls(all.getFirst(), all.subList(1, all.size()), quoted);
  }

  private static CsvDialect.Quotes quotes(Endpoint endpoint, CsvDialect.Quotes base) {
    String quote = endpoint.text("quote").map(FileOptions::quote).orElse(base.quote());
    if (base.equals(CsvDialect.TEXT.quotes()) && !quote.isEmpty()) {
      throw new Fault.User(
          "The format text has no quotes (" + endpoint.label() + ").",
          "Leave quote out, or leave format out and say delimiter, quote and escape.");
    }
    String usual = quote.equals(base.quote()) ? base.escape() : quote;
    return new CsvDialect.Quotes(
        quote,
        endpoint.text("escape").map(text -> escape(text, quote)).orElse(usual),
        choose(
            endpoint,
            "quoting",
            Map.of(
                "minimal", Quoting.MINIMAL,
                "text", Quoting.TEXT,
                "text-and-dates", Quoting.TEXT_AND_DATES),
            base.quoting()));
  }

  private static CsvDialect.Framing framing(Endpoint endpoint, CsvDialect.Framing base) {
    return new CsvDialect.Framing(
        choose(
            endpoint,
            "newline",
            Map.of("auto", Newline.AUTO, "lf", Newline.LF, "crlf", Newline.CRLF, "cr", Newline.CR),
            base.newline()),
        endpoint.flag("trailing-delimiter", base.trailingDelimiter()),
        lengthPrefix(endpoint, base.lengthPrefix()),
        base.documents(),
        nested(endpoint, base));
  }

  private static boolean nested(Endpoint endpoint, CsvDialect.Framing base) {
    boolean nested = endpoint.flag("nest", false);
    if (nested && !base.documents()) {
      throw new Fault.User(
          "nest is for documents, and " + endpoint.label() + " is no file of JSON Lines.",
          "Leave --nest out, or say --format jsonl.");
    }
    return nested;
  }

  /// The spellings of dates and times that a column is recognised by.
  ///
  /// The presets' date format is not among them: a column of midnights may be timestamps.
  static SpellingStyle recognised(Endpoint endpoint) {
    return new SpellingStyle(
        textOr(endpoint, "date-format", null),
        textOr(endpoint, "time-format", null),
        dialect(endpoint).temporals().timestampFormat(),
        null,
        numbers(endpoint),
        null,
        zeroDates(endpoint));
  }

  private static boolean zeroDates(Endpoint endpoint) {
    return choose(endpoint, "zero-dates", Map.of("null", true, "refuse", false), false);
  }

  private static NumberStyle numbers(Endpoint endpoint) {
    String decimal = endpoint.text("decimal-separator").orElse(".");
    String thousands = endpoint.text("thousands").map(FileOptions::characters).orElse("");
    if (!decimal.equals(".") && !decimal.equals(",")) {
      throw new Fault.User(
          "decimal-separator=" + decimal + " is neither a point nor a comma.",
          "Write decimal-separator=, or leave it out.");
    }
    if (!thousands.isEmpty() && !THOUSANDS.contains(thousands)) {
      throw new Fault.User(
          "thousands=" + thousands + " stands between no groups of digits.",
          "It can be a comma, a point, ', _ or space.");
    }
    if (thousands.equals(decimal)) {
      throw new Fault.User(
          "The decimal separator and what stands between thousands are both '" + decimal + "'.",
          "Say decimal-separator=" + (decimal.equals(".") ? "," : ".") + " too.");
    }
    return new NumberStyle(decimal, thousands, "");
  }

  /// Whether the user, or the file's name, says what stands between fields.
  static boolean saysDelimiter(Endpoint endpoint) {
    return endpoint.text("delimiter").isPresent() || !preset(endpoint).equals(CsvDialect.CSV);
  }

  /// The most bytes that a field may have.
  static int fieldBytesMax(Endpoint endpoint) {
    long size = endpoint.size("max-field", FIELD_BYTES_DEFAULT);
    if (size > FIELD_BYTES_MAX) {
      throw new Fault.User(
          "max-field=" + size + " is more than " + FIELD_BYTES_MAX + " bytes.",
          "Fields of that size can't be held in memory.");
    }
    return (int) size;
  }

  /// Whether the records are JSON documents, one a line.
  static boolean areJsonLines(Endpoint endpoint) {
    return preset(endpoint).framing().documents();
  }

  private static CsvDialect preset(Endpoint endpoint) {
    String name = nameOfText(endpoint).toLowerCase(Locale.ROOT);
    CsvDialect usual = CsvDialect.CSV;
    if (name.matches(".*\\.(tsv|tab)")) {
      usual = CsvDialect.TSV;
    } else if (name.matches(".*\\.(jsonl|ndjson)")) {
      usual = CsvDialect.JSON_LINES;
    } else if (endpoint.text("format").isEmpty() && name.endsWith(".json")) {
      throw new Fault.User(
          endpoint.label() + " is a JSON file by its name, and not one that Millrace knows.",
          "Where it holds a document a line, say --format jsonl, or name it .jsonl. An array"
              + " becomes such a file by jq -c '.[]' file.json > file.jsonl.");
    }
    return choose(
        endpoint,
        "format",
        Map.of(
            "csv", CsvDialect.CSV,
            "tsv", CsvDialect.TSV,
            "text", CsvDialect.TEXT,
            "jsonl", CsvDialect.JSON_LINES,
            "mtu", CsvDialect.MTU),
        usual);
  }

  /// The name without what compression adds to it; of `rows.zip`, the file's in it.
  private static String nameOfText(Endpoint endpoint) {
    String location = endpoint.location();
    String plain = Compression.plainName(location);
    boolean bare = plain.indexOf('.', plain.lastIndexOf('/') + 1) < 0;
    return bare
            && Compression.ofName(location) == Compression.ZIP
            && Files.isRegularFile(FileLocation.of(endpoint).path())
        ? Unpacker.onlyFile(FileLocation.of(endpoint).path())
        : plain;
  }

  private static <T> T choose(Endpoint endpoint, String name, Map<String, T> choices, T otherwise) {
    String text = endpoint.text(name).orElse(null);
    if (text == null) {
      return otherwise;
    }
    T chosen = choices.get(text.toLowerCase(Locale.ROOT));
    if (chosen == null) {
      List<String> names = choices.keySet().stream().sorted().toList();
      throw new Fault.User(
          name + "=" + text + " is not known (" + endpoint.label() + ").",
          (Nearest.hint(text, names) + " It can be " + String.join(", ", names) + ".").strip());
    }
    return chosen;
  }

  private static @Nullable String textOr(
      Endpoint endpoint, String name, @Nullable String otherwise) {
    String text = endpoint.text(name).orElse(null);
    return text == null || text.isEmpty() ? otherwise : text;
  }

  private static String quote(String text) {
    return text.equalsIgnoreCase("none") ? "" : characters(text);
  }

  private static String escape(String text, String quote) {
    return text.isEmpty() || text.equalsIgnoreCase("doubled") ? quote : characters(text);
  }

  /// Characters by name, by code point, or as they are.
  private static String characters(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "tab", "\\t" -> "\t";
      case "space" -> " ";
      default ->
          text.matches("\\\\u[0-9a-fA-F]{4}")
              ? Character.toString(Integer.parseInt(text.substring(2), 16))
              : text;
    };
  }

  private static ZoneId timeZone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException _) {
      String hint = Nearest.hint(text, ZoneId.getAvailableZoneIds());
      throw new Fault.User(
          "time-zone=" + text + " is no time zone." + (hint.isEmpty() ? "" : " " + hint),
          "Write one by its place, such as Europe/Berlin, or UTC, or an offset such as +09:00.");
    }
  }

  private static Charset charset(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new Fault.User(
          "The charset '" + name + "' is not known.",
          (Nearest.hint(name, List.copyOf(Charset.availableCharsets().keySet()))
                  + " For example UTF-8, MS932, EUC-JP, ISO-8859-1 or UTF-16.")
              .strip(),
          e);
    }
  }

  private static int number(Endpoint endpoint, String name, int digitsMax, String what) {
    String text = endpoint.text(name).orElse("0");
    if (!text.matches("[0-9]{1," + digitsMax + "}")) {
      throw new Fault.User(
          name + "=" + text + " is no number of " + what + " (" + endpoint.label() + ").",
          "Write a whole number, such as 3.");
    }
    return Integer.parseInt(text);
  }

  private static int lengthPrefix(Endpoint endpoint, int otherwise) {
    String text = endpoint.text("length-prefix").orElse(null);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("[0-9]{1,2}") || Integer.parseInt(text) > PREFIX_DIGITS_MAX) {
      throw new Fault.User(
          "length-prefix=" + text + " is no number of digits.",
          "Write a number from 0 (no prefix) to " + PREFIX_DIGITS_MAX + ".");
    }
    return Integer.parseInt(text);
  }
}
