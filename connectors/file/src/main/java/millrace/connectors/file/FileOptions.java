package millrace.connectors.file;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;

/// The parameters of file endpoints, and what they say.
public final class FileOptions {

  /// Most digits of a length prefix: what a long holds.
  private static final int PREFIX_DIGITS_MAX = 18;

  private static final long FIELD_BYTES_DEFAULT = 16L << 20;

  /// A record is held whole, in an array, beside what it is unescaped to.
  private static final long FIELD_BYTES_MAX = 256L << 20;

  /// What to type if the source's bytes are no characters.
  public static final String CHARSET_ADVICE =
      "Say what the source is written in: --charset NAME, or ?charset=NAME behind its own name.";

  static final List<Option> ALL =
      List.of(
          new Option(
              "format",
              "What the others start from, and that the file is one of text whatever its name is:"
                  + " csv (the default), tsv (the default of .tsv files),"
                  + " text (tabs, \\ as escape, \\N for a missing value, no quotes: what MySQL and"
                  + " PostgreSQL write),"
                  + " jsonl (a JSON document a line, the default of .jsonl and .ndjson files), or"
                  + " mtu (length prefix, ~~ around text and dates, a comma after every field, CR"
                  + " LF).",
              "mtu"),
          new Option(
              "delimiter",
              "Between fields: one or more characters, or tab, space, \\u0001; if it is not said,"
                  + " the first records tell on read (comma, semicolon, tab or |), and it is a"
                  + " comma on write.",
              "tab"),
          new Option(
              "quote",
              "Around fields that need it: one or more characters, or none; default \".",
              "~~"),
          new Option(
              "escape",
              "Before a quote inside quotes: doubled (the default: the quote itself), or a"
                  + " character that then escapes itself too; without quotes, before all that has a"
                  + " meaning, as in the format text.",
              "\\"),
          new Option(
              "null-string",
              "How a missing value is spelled, without quotes; default nothing at all, so that \"\""
                  + " is an empty text and nothing is missing, and \\N in the format text.",
              "NULL"),
          new Option(
              "quoted-null",
              "Whether the null string means a missing value inside quotes as well: true or false"
                  + " (the default).",
              "true"),
          new Option(
              "charset",
              "UTF-8 (the default, byte order mark or not), or any charset that the JDK knows.",
              "MS932"),
          new Option(
              "newline",
              "What ends a record: auto (the default: found out on read, LF on write), LF, CRLF or"
                  + " CR.",
              "CRLF"),
          new Option(
              "header",
              "Whether the first record names the columns: true, false, or auto (the default: by"
                  + " the look of it on read, true on write, but false in the format text).",
              "false"),
          new Option(
              "trailing-delimiter",
              "Whether a delimiter follows the last field too: true or false (the default).",
              "true"),
          new Option(
              "length-prefix",
              "Digits before each record that give its length in bytes, line end included; default"
                  + " 0.",
              "10"),
          new Option("date-format", "How dates are spelled; default ISO 8601.", "dd.MM.yyyy"),
          new Option("time-format", "How times are spelled; default ISO 8601.", "HHmmss"),
          new Option(
              "timestamp-format",
              "How timestamps are spelled; default ISO 8601.",
              "yyyyMMddHHmmss"),
          Option.source(
              "time-zone",
              "Where the clocks stood that instants were read from which have no offset from UTC,"
                  + " for columns of type timestamptz.",
              "Europe/Berlin"),
          new Option(
              "quoting",
              "What is quoted on write: minimal (the default: what has to be), text, or"
                  + " text-and-dates.",
              "text"),
          Option.source(
              "columns",
              "Names and types: of all columns in order where there is no header, else of"
                  + " those that differ from what was found.",
              "id:int64,price:decimal(12,2)"),
          new Option("max-field", "The most bytes that one field may have; default 16MB.", "64MB"),
          Option.target(
              "files",
              "How many files to write: one (the default), per-split, or a size at which the next"
                  + " begins; several are numbered, name-00001.csv and so on.",
              "1GB"));

  private FileOptions() {}

  /// The dialect that an endpoint asks for.
  ///
  /// @throws Fault.User if a parameter has no such value
  static CsvDialect dialect(Endpoint endpoint) {
    CsvDialect base = preset(endpoint);
    return new CsvDialect(
        endpoint.text("delimiter").map(FileOptions::characters).orElse(base.delimiter()),
        quotes(endpoint, base.quotes()),
        new CsvDialect.Nulls(
            endpoint.text("null-string").orElse(base.nulls().text()),
            endpoint.flag("quoted-null", base.nulls().quoted())),
        choose(
            endpoint,
            "header",
            Map.of("true", Header.TRUE, "false", Header.FALSE, "auto", Header.AUTO),
            base.header()),
        framing(endpoint, base.framing()),
        endpoint.text("charset").map(FileOptions::charset).orElse(base.charset()),
        new SpellingStyle(
            textOr(endpoint, "date-format", base.temporals().dateFormat()),
            textOr(endpoint, "time-format", base.temporals().timeFormat()),
            textOr(endpoint, "timestamp-format", base.temporals().timestampFormat()),
            endpoint.text("time-zone").map(FileOptions::timeZone).orElse(null)));
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
        base.documents());
  }

  /// The spellings of dates and times that a column is recognised by.
  ///
  /// The presets' date format is not among them: a column of midnights may be timestamps.
  static SpellingStyle recognised(Endpoint endpoint) {
    return new SpellingStyle(
        textOr(endpoint, "date-format", null),
        textOr(endpoint, "time-format", null),
        dialect(endpoint).temporals().timestampFormat(),
        null);
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
    return preset(endpoint).equals(CsvDialect.JSON_LINES);
  }

  private static CsvDialect preset(Endpoint endpoint) {
    String name = nameOfText(endpoint.location()).toLowerCase(Locale.ROOT);
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
  private static String nameOfText(String location) {
    String plain = Compression.plainName(location);
    boolean bare = plain.indexOf('.', plain.lastIndexOf('/') + 1) < 0;
    return bare
            && Compression.ofName(location) == Compression.ZIP
            && Files.isRegularFile(Path.of(location))
        ? Unpacker.onlyFile(Path.of(location))
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
