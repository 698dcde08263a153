package millrace.connectors.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.DelimiterGuess;
import millrace.connectors.file.csv.HeaderRule;
import millrace.connectors.file.csv.TypeSample;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.io.Inputs;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.io.FolderValues;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import org.jspecify.annotations.Nullable;

/// The files of a source that have been looked at: how each of them begins, and whether that is a
/// header.
///
/// @param heads in order; at least one
/// @param header what was found of the first file that has anything in it, and counts for all
record SourceFiles(List<FileHead> heads, HeaderRule.Decision header) {

  private static final int SAMPLE_BYTES = 1 << 20;

  /// Of the second file and those after it; a header of a thousand long names fits.
  private static final int HEADER_BYTES = 1 << 17;

  /// Records that a header is compared with.
  private static final int RECORDS_COMPARED = 100;

  SourceFiles {
    heads = List.copyOf(heads);
  }

  /// Looks at the files.
  ///
  /// @throws Fault.User if one is missing, or can't be read together with the others
  static SourceFiles look(
      FileLocation location,
      InputSpec spec,
      InputStream standardInput,
      ColumnRequest columnRequest) {
    List<FileHead> heads =
        location.text().equals(Inputs.STANDARD)
            ? List.of(standard(spec, standardInput, columnRequest))
            : find(location, spec, columnRequest);
    return new SourceFiles(heads, settleHeader(heads, spec, columnRequest));
  }

  private static FileHead standard(
      InputSpec spec, InputStream standardInput, ColumnRequest columnRequest) {
    InputFile file = InputFile.look(standardInput, SAMPLE_BYTES);
    CsvDialect dialect = dialect(file, spec, spec.dialect(), columnRequest);
    return FileHead.of(file, dialect, spec.fieldBytesMax());
  }

  private static List<FileHead> find(
      FileLocation location, InputSpec spec, ColumnRequest columnRequest) {
    List<FileHead> heads = new ArrayList<>();
    CsvDialect dialect = spec.dialect();
    String known = "";
    for (Path path : Inputs.find(location)) {
      InputFile file = InputFile.look(path, heads.isEmpty() ? SAMPLE_BYTES : HEADER_BYTES);
      CsvDialect fileDialect =
          file.first().length == 0 ? dialect : dialect(file, spec, dialect, columnRequest);
      if (!known.isEmpty() && !fileDialect.delimiter().equals(dialect.delimiter())) {
        throw new Fault.User(
            file.name()
                + " has "
                + DelimiterGuess.spelled(fileDialect.delimiter())
                + " between its fields, but "
                + known
                + " has "
                + DelimiterGuess.spelled(dialect.delimiter())
                + ".",
            "Copy them one after the other. If both have the same, "
                + DelimiterGuess.advice(fileDialect.delimiter()).replaceFirst("^S", "s"));
      }
      known = file.first().length == 0 ? known : file.name();
      dialect = fileDialect;
      heads.add(FileHead.of(file, dialect, spec.fieldBytesMax()));
    }
    return heads;
  }

  /// How the file is spelled: as the user says, or as far as nobody says so, as the file does.
  private static CsvDialect dialect(
      InputFile file, InputSpec spec, CsvDialect otherwise, ColumnRequest columnRequest) {
    CsvDialect requested = spec.dialect();
    if (!spec.delimiterIsFree()) {
      return requested;
    }
    int expected = spec.expectedFields(columnRequest);
    return DataStart.separator(file, requested)
        .or(() -> DelimiterGuess.of(file, requested, expected, spec.fieldBytesMax()))
        .map(requested::delimited)
        .orElse(otherwise);
  }

  /// What stands in the names of their folders.
  ///
  /// @throws Fault.User if not all have the same there
  FolderValues folderValues(String label) {
    List<Path> paths = new ArrayList<>();
    for (FileHead head : heads) {
      Path path = head.file().path();
      if (path == null) {
        throw new Fault.User(
            "Standard input lies in no folder.", "Leave --" + FolderValues.OPTION + " out.");
      }
      paths.add(path);
    }
    return FolderValues.of(label, paths);
  }

  /// The first file that has anything in it.
  FileHead lead() {
    return lead(heads);
  }

  private static FileHead lead(List<FileHead> heads) {
    for (FileHead head : heads) {
      if (!head.isEmpty()) {
        return head;
      }
    }
    return heads.getFirst();
  }

  private static HeaderRule.Decision settleHeader(
      List<FileHead> heads, InputSpec spec, ColumnRequest columnRequest) {
    FileHead lead = lead(heads);
    HeaderRule.Decision decision =
        switch (spec.dialect().header()) {
          case TRUE -> new HeaderRule.Decision(true, true, "as requested");
          case FALSE -> new HeaderRule.Decision(false, true, "as requested");
          case AUTO -> decideHeader(lead, spec, columnRequest);
        };
    boolean header = decision.header();
    for (FileHead head : heads) {
      if (head.isEmpty() && (header || (head == lead && spec.named().isEmpty()))) {
        refuseEmpty(head, spec);
      }
      head.settle(header, spec.named().size());
    }
    return decision;
  }

  /// An empty file has no columns to speak of. Without a header it may be empty if all columns are
  /// named, as that of JSON Lines is, and if it is only part of a source.
  private static void refuseEmpty(FileHead head, InputSpec spec) {
    int skipped = spec.dialect().passedOver().lines();
    boolean passed = !spec.dialect().passedOver().comment().isEmpty() || skipped > 0;
    throw new Fault.User(
        head.file().name()
            + (passed && head.file().first().length > 0
                ? " has no line but those that are left out: there is not even a header."
                : " is empty: there is not even a header."),
        spec.dialect().header() == Header.FALSE
            ? "There is nothing to copy; name all its columns with --columns if that is right."
            : "Check how it was made, or leave it out.");
  }

  private static HeaderRule.Decision decideHeader(
      FileHead lead, InputSpec spec, ColumnRequest columnRequest) {
    if (lead.isEmpty()) {
      return new HeaderRule.Decision(false, true, "nothing is there");
    }
    TypeSample below =
        TypeSample.of(lead, lead.textSecondStart(), spec.recognised(), spec.fieldBytesMax());
    HeaderRule.Decision decision =
        HeaderRule.decide(
            lead.firstFields(),
            below.types(),
            below.styles(),
            lead.recordsBelow(RECORDS_COMPARED),
            columnRequest,
            spec.recognised());
    // Databases that write escaped text put no header in front unless they are asked to.
    return decision.header() && !decision.sure() && spec.dialect().escapes()
        ? new HeaderRule.Decision(
            false, false, decision.why() + "; escaped text seldom has a header")
        : decision;
  }

  /// Another delimiter than the one that the files are read with, by which they have more fields.
  Optional<String> betterDelimiter(InputSpec spec, int expected) {
    return DelimiterGuess.of(lead().file(), spec.dialect(), expected, spec.fieldBytesMax())
        .filter(each -> !each.equals(lead().dialect().delimiter()));
  }

  /// The form that raw records of all files are in; null if they are not spelled alike.
  @Nullable Form form() {
    Form form = lead().form();
    boolean alike = lead().decoding() != Decoding.STREAM;
    for (FileHead head : heads) {
      alike &= head.form().equals(form) || head.isEmpty();
    }
    return alike ? form : null;
  }

  /// Their bytes as they are stored, or -1 if that is not known.
  long bytes() {
    return isStream() ? -1 : heads.stream().mapToLong(head -> head.file().size()).sum();
  }

  private boolean isStream() {
    return heads.getFirst().file().path() == null;
  }

  /// Whether none is compressed.
  boolean arePlain() {
    return heads.stream().allMatch(head -> head.file().seeks());
  }

  /// How many can be read at once.
  LaneLimit lanes(CsvDialect requested) {
    if (heads.stream().anyMatch(FileHead::canBeCut)) {
      return LaneLimit.NONE;
    }
    if (isStream()) {
      return new LaneLimit(1, "standard input is one stream");
    }
    InputFile first = heads.getFirst().file();
    String why =
        first.seeks()
            ? "a file in " + requested.charset().name() + " is read from its beginning"
            : (first.compression() == Compression.NONE
                    ? "the server gives a file only from its beginning"
                    : "a compressed file is read from its beginning")
                + "; several are read side by side";
    return new LaneLimit(heads.size(), why);
  }

  /// What they hold. Blocks of every file are read for it.
  String content() {
    return FileIdentity.ofAll(heads.stream().map(head -> content(head.file())).toList());
  }

  private static String content(InputFile file) {
    Path path = file.path();
    try {
      return path == null
          ? FileIdentity.ofStream(file.name(), file.first())
          : FileIdentity.of(path);
    } catch (IOException e) {
      throw Inputs.unreadable(file.name(), e);
    }
  }

  /// A file that was compressed since, or is compressed no more, is known by its name alone.
  static List<String> origins(String content) {
    return FileIdentity.origins(content).stream()
        .flatMap(origin -> Stream.of(origin, Compression.plainName(origin)))
        .distinct()
        .toList();
  }

  /// How they are read, as plans tell it.
  String readAs(InputSpec spec) {
    if (spec.jsonLines()) {
      return "a JSON document a line";
    }
    CsvDialect dialect = lead().dialect();
    return DelimiterGuess.spelled(dialect.delimiter())
        + " between fields; "
        + (dialect.escapes() ? "no quotes, " + dialect.quotes().escape() + " as escape; " : "")
        + (header.header() ? "the first line is a header" : "no header")
        + header.because();
  }

  /// About how many requests of a store reading them takes.
  long requests() {
    try {
      return StorePath.requests(
          heads.stream().map(head -> head.file().path()).filter(Objects::nonNull).toList());
    } catch (IOException e) {
      throw Inputs.unreadable(lead().file().name(), e);
    }
  }

  /// Lets go of standard input.
  void close() {
    for (FileHead head : heads) {
      ByteFeed rest = head.file().rest();
      if (rest != null) {
        rest.close();
      }
    }
  }
}
