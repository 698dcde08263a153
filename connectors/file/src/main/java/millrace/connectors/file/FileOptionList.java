package millrace.connectors.file;

import java.util.List;
import millrace.io.FolderValues;
import millrace.spi.Option;

/// The parameters of file endpoints, as the help text has them; {@link FileOptions} reads them.
final class FileOptionList {

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
                  + " is an empty text and nothing is missing, and \\N in the format text. Several"
                  + " with commas between are all read, and the first is written; NULL,NA, with a"
                  + " comma at the end means nothing at all too.",
              "NULL,NA"),
          new Option(
              "quoted-null",
              "Whether the null string means a missing value inside quotes as well: true or false"
                  + " (the default).",
              "true"),
          Option.source(
              "skip-lines",
              "How many lines stand before the header, or before the first record if there is"
                  + " none.",
              "3"),
          Option.source(
              "comment",
              "What a line begins with that is no record; default nothing. Quotes have no meaning"
                  + " in such a line.",
              "#"),
          Option.sourceFlag(
              "trim", "Leaves out blanks (spaces and tabs) around fields and around their quotes."),
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
          new Option(
              "date-format",
              "How dates are spelled: yyyy MM dd and what stands between; also d and M for one"
                  + " digit or two, MMM for a month's English name in any case, yy for 1969 to"
                  + " 2068; default ISO 8601.",
              "dd.MM.yyyy"),
          new Option("time-format", "How times are spelled; default ISO 8601.", "HHmmss"),
          new Option(
              "timestamp-format",
              "How timestamps are spelled: the same with HH mm ss SSS, h and a for hours of 12 with"
                  + " AM or PM, XXX for an offset, VV for a time zone's name; default ISO 8601.",
              "yyyyMMddHHmmss"),
          Option.source(
              "decimal-separator",
              "What stands before the digits of a fraction: . (the default) or a comma. Numbers are"
                  + " written with a point.",
              ","),
          Option.source(
              "thousands",
              "What stands between groups of three digits: a comma, a point, ', _ or space; default"
                  + " nothing. A number with other groups is refused.",
              "."),
          Option.source(
              "zero-dates",
              "What 0000-00-00 is, with a time of zeros or without: refuse (the default), or null"
                  + " for a missing value.",
              "null"),
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
              "Names and types: of all columns in order where there is no header, else of those"
                  + " that differ from what was found; *:text makes all others text."
                  + " timestamptz(epoch s), or ms, us, ns, counts"
                  + " from 1970; decimal(5,2)(percent) has a % behind it, decimal(12,2)(usd) a sign"
                  + " or code of that currency before or behind it.",
              "id:int64,price:decimal(12,2)"),
          Option.source(
              "fields",
              "Of JSON Lines: members of documents that become columns, name:type or the type by"
                  + " sample, dots for members of members; column doc has the rest as json.",
              "id:int64,address.city"),
          Option.source(
              "each",
              "Of JSON Lines: the array whose elements are the rows, by its name, with dots for"
                  + " members of members. Fields that begin with it are of the element, others of"
                  + " the document; items.# is the element's number.",
              "items"),
          Option.targetFlag("nest", "Of JSON Lines: a column a.x becomes member x of member a."),
          Option.sourceFlag(FolderValues.OPTION, FolderValues.HELP),
          new Option("max-field", "The most bytes that one field may have; default 16MB.", "64MB"),
          Option.target(
              "files",
              "How many files to write: one (the default), per-split, or a size at which the next"
                  + " begins; several are numbered, name-00001.csv and so on.",
              "1GB"));

  private FileOptionList() {}
}
