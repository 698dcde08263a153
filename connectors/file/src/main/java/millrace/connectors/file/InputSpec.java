package millrace.connectors.file;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.time.PatternCompiler;
import millrace.io.FolderValues;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;
import millrace.spi.read.ColumnRequest;
import org.jspecify.annotations.Nullable;

/// How files are to be read, as the endpoint says.
///
/// @param dialect how records are spelled, as far as somebody says so
/// @param delimiterIsFree whether the file itself may say what stands between its fields
/// @param fieldBytesMax most bytes in a field
/// @param jsonLines whether each line is a document
/// @param named the columns that the option names
/// @param otherType the type of all columns that are not named, or null if nobody says it
/// @param folderValues whether names of folders make columns
/// @param recognised which spellings make a value of a type in a sample
record InputSpec(
    CsvDialect dialect,
    boolean delimiterIsFree,
    int fieldBytesMax,
    boolean jsonLines,
    List<Named> named,
    @Nullable Type otherType,
    boolean folderValues,
    SpellingStyle recognised) {

  /// Stands for the columns that are not named.
  private static final String OTHERS = "*";

  /// The column of JSON Lines, unless `columns` names it.
  private static final String DOCUMENT = "doc";

  InputSpec {
    named = List.copyOf(named);
  }

  /// @throws millrace.fault.Fault.User if an option makes no sense
  static InputSpec of(Endpoint endpoint) {
    boolean jsonLines = FileOptions.areJsonLines(endpoint);
    CsvDialect dialect = FileOptions.dialect(endpoint);
    int fieldBytesMax = FileOptions.fieldBytesMax(endpoint);
    List<Named> all = HeldAs.columns(endpoint);
    List<Named> given = all.stream().filter(each -> !each.name().equals(OTHERS)).toList();
    Type otherType = null;
    for (Named each : all) {
      otherType = each.name().equals(OTHERS) ? each.type() : otherType;
    }
    return new InputSpec(
        dialect,
        !FileOptions.saysDelimiter(endpoint),
        fieldBytesMax,
        jsonLines,
        jsonLines && given.isEmpty() ? List.of(new Named(DOCUMENT, null)) : given,
        otherType,
        endpoint.flag(FolderValues.OPTION, false),
        FileOptions.recognised(endpoint));
  }

  /// Whether nobody said what comments begin with, and there may be some.
  boolean mayHaveComments() {
    return dialect.passedOver().comment().isEmpty() && !jsonLines;
  }

  /// Whether the formats of dates have no century.
  boolean saysYearOfCentury() {
    SpellingStyle style = dialect.temporals();
    return Stream.of(
            Optional.ofNullable(style.dateFormat()), Optional.ofNullable(style.timestampFormat()))
        .flatMap(Optional::stream)
        .anyMatch(PatternCompiler::hasYearOfCentury);
  }

  /// How many fields a record should have by what the user or the target says; 0 if neither does.
  int expectedFields(ColumnRequest columnRequest) {
    if (!named.isEmpty() && dialect.header() == Header.FALSE) {
      return named.size();
    }
    return columnRequest instanceof ColumnRequest.Like(Schema schema, boolean _)
        ? schema.width()
        : 0;
  }
}
