package millrace.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import org.jspecify.annotations.Nullable;

/// Formats of files that are no text, told by how a file begins: so that none of them is taken for
/// text, and none is lost because text or another format is written in its place.
///
/// Connectors of files ask it about what they read, and about what they would write over.
public enum FileFormat {
  DUCKDB("a DuckDB database", "'duckdb:FILE?table=NAME'", "duckdb ddb db", "□□□□□□□□DUCK"),
  SQLITE(
      "an SQLite database", "'sqlite:FILE?table=NAME'", "sqlite sqlite3 db3", "SQLite format 3\0"),
  PARQUET("a Parquet file", "parquet:FILE", "parquet pq", "PAR1", "PARE"),
  ARROW("an Arrow file", "", "arrow feather ipc", "ARROW1\0", "FEA1"),
  ORC("an ORC file", "", "orc", "ORC"),
  AVRO("an Avro file", "", "avro", "Obj\1"),
  OPEN_DOCUMENT(
      "an OpenDocument file",
      "",
      "ods odt",
      "PK\3\4" + "□".repeat(26) + "mimetypeapplication/vnd.oasis.opendocument"),
  EXCEL("an Excel workbook", "", "xlsx xlsm xlsb"),
  OFFICE("an Office document", "", "docx pptx"),
  ZIP("a zip file", "FILE", "zip", "PK\3\4", "PK\5\6", "PK00PK\3\4"),
  GZIP("a gzip file", "FILE", "gz", "\37\u008B"),
  /// The second is a frame to be stepped over: pzstd begins a file with one.
  ZSTD("a Zstandard file", "FILE", "zst", "(\u00B5/\u00FD", "□*M\30"),
  BZIP2("a bzip2 file", "FILE", "bz2", "BZh□1AY&SY", "BZh□\27rE8P\u0090"),
  XZ("an xz file", "FILE", "xz", "\u00FD7zXZ\0"),
  LZ4("an LZ4 file", "lz4 -dc FILE | millrace copy - TO", "lz4", "\4\"M\30"),
  SEVEN_ZIP("a 7z file", "7z e FILE", "7z", "7z\u00BC\u00AF\'\34"),
  RAR("a RAR file", "unrar e FILE", "rar", "Rar!\32\7"),
  TAR("a tar archive", "tar -xf FILE", "tar tgz", "□".repeat(257) + "ustar"),
  PDF("a PDF document", "", "pdf", "%PDF-1.", "%PDF-2."),
  OLD_OFFICE(
      "an Excel workbook or another document of Office before 2007",
      "",
      "xls doc",
      "\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\32\u00E1"),
  ACCESS("an Access database", "", "mdb accdb", "\0\1\0\0Standard "),
  POSTGRES_DUMP(
      "a dump that pg_restore reads", "pg_restore -d DATABASE FILE", "dump pgdump", "PGDMP"),
  HDF5("an HDF5 file", "", "h5 hdf5", "\u0089HDF\r\n\32\n"),
  NUMPY("a NumPy array", "", "npy", "\u0093NUMPY"),
  SAS("a SAS data set", "", "sas7bdat", "\0".repeat(12) + "\u00C2\u00EA\u0081`"),
  SPSS("an SPSS file", "", "sav", "$FL2@(#)"),
  STATA("a Stata file", "", "dta", "<stata_dta>");

  /// As many of a file's first bytes as tell what it is.
  public static final int FIRST_BYTES = 4 << 10;

  /// Stands for any byte.
  private static final char ANY = '□';

  /// Fewer letters than that may begin a text as well: ORCID is a column, and so is PAR1.
  private static final int LETTERS_MIN = 6;

  private static final String ZIP_MEMBER = "PK\3\4";

  private final String what;
  private final String command;
  private final String endings;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is.
  private final List<String> beginnings;

  /// @param what the format with its article
  /// @param command a URL, or what to type, to get at the rows of FILE; empty if there is neither
  /// @param endings of names, with blanks between
  /// @param beginnings how such files begin, a byte a letter
  FileFormat(String what, String command, String endings, String... beginnings) {
    this.what = what;
    this.command = command;
    this.endings = endings;
    this.beginnings = List.of(beginnings);
  }

  /// What a file is that begins with those bytes; null if it may be text, or nobody knows.
  ///
  /// @param length how many of the bytes there are
  public static @Nullable FileFormat of(byte[] bytes, int length) {
    String first = new String(bytes, 0, Math.min(length, FIRST_BYTES), StandardCharsets.ISO_8859_1);
    for (FileFormat format : values()) {
      if (format.beginnings.stream().anyMatch(beginning -> begins(first, beginning))) {
        return format == ZIP ? ofZip(first) : format;
      }
    }
    return null;
  }

  /// What a file is; null also if there is none, or nothing in it.
  ///
  /// @throws Fault.External if it can't be read
  public static @Nullable FileFormat of(Path file) {
    if (!Files.isRegularFile(file)) {
      return null;
    }
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] first = stream.readNBytes(FIRST_BYTES);
      return of(first, first.length);
    } catch (IOException e) {
      throw new Fault.External(
          "Can't read " + file + ": " + FileTrouble.reason(e) + ".",
          "What it holds decides what can be done with it.",
          e);
    }
  }

  /// What a file is by the ending of its name; null if that says nothing.
  public static @Nullable FileFormat ofName(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    for (FileFormat format : values()) {
      if (ending.length() < name.length() && List.of(format.endings.split(" ")).contains(ending)) {
        return format;
      }
    }
    return null;
  }

  private static boolean begins(String first, String beginning) {
    if (first.length() < beginning.length()) {
      return false;
    }
    int letters = 0;
    boolean plain = true;
    for (int i = 0; i < beginning.length(); i++) {
      char wanted = beginning.charAt(i);
      if (wanted != ANY && wanted != first.charAt(i)) {
        return false;
      }
      letters += wanted == ANY ? 0 : 1;
      plain &= wanted == ANY || (wanted < 0x80 && isInText(wanted));
    }
    return letters >= LETTERS_MIN || !plain || !first.chars().allMatch(FileFormat::isInText);
  }

  /// Whether a text may hold the byte: the delimiters of some are control characters, and what is
  /// above ASCII is a letter in one charset or another.
  private static boolean isInText(int letter) {
    boolean isNone = letter == 0 || (letter >= 0x0E && letter <= 0x1A) || letter == 0x7F;
    return !isNone;
  }

  /// Files of Office are zip files, told by what they hold.
  private static FileFormat ofZip(String first) {
    boolean office = false;
    boolean sheets = false;
    for (int at = first.indexOf(ZIP_MEMBER); at >= 0; at = first.indexOf(ZIP_MEMBER, at + 1)) {
      String member = first.substring(Math.min(first.length(), at + 30));
      office |=
          member.startsWith("[Content_Types].xml")
              || member.startsWith("_rels/")
              || member.startsWith("docProps/");
      sheets |= member.startsWith("xl/");
    }
    return !office ? ZIP : sheets ? EXCEL : OFFICE;
  }

  /// The format with its article, such as `a Parquet file`.
  public String what() {
    return what;
  }

  /// What to do about a file of this format that can't be read as it was named: a sentence, with
  /// what to type on a line of its own.
  ///
  /// @param location the file, as the user named it
  public String advice(String location) {
    if (command.isEmpty()) {
      return "Millrace does not read it yet: export it as CSV or Parquet with what it was made by.";
    }
    String line = "\n    " + command.replace("FILE", location);
    if (command.equals("FILE")) {
      return "If text is in it, name it by its path alone:" + line;
    }
    return (isUrl() ? "Name it as what it is:" : "Millrace does not read it yet. Try:") + line;
  }

  /// What to write instead, if text was to go into a file of that name; a sentence, with what to
  /// type on a line of its own.
  public String adviceToWrite(String location) {
    return isUrl()
        ? "To write " + what + ", say:\n    " + command.replace("FILE", location)
        : "Millrace does not write it. Name a file that ends in .csv, .tsv or .jsonl.";
  }

  private boolean isUrl() {
    return command.contains(":FILE");
  }

  /// Refuses to write into or over a file of another format: its owner may delete it himself.
  ///
  /// @param written what may be written over; null if only text may, and what is not known
  /// @throws Fault.User if it holds another known format
  /// @throws Fault.External if it can't be read
  public static void checkOverwritten(Path file, @Nullable FileFormat written) {
    FileFormat found = of(file);
    if (found != null && found != written) {
      throw overwriting(file, found);
    }
  }

  /// What it means that something else was to be written into or over a file of this format.
  public static Fault.User overwriting(Path file, FileFormat found) {
    return new Fault.User(
        file + " holds " + found.what + ", which would be lost.",
        "Name another file, or delete this one first."
            + (found.isUrl() ? " " + found.adviceToWrite(file.toString()) : ""));
  }
}
