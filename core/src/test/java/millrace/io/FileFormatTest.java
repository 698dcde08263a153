package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import millrace.fault.Fault;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileFormatTest {

  @TempDir private Path folder;

  private static @Nullable FileFormat of(byte[] bytes) {
    return FileFormat.of(bytes, bytes.length);
  }

  /// How files that their own programs have made begin.
  @ParameterizedTest
  @CsvSource({
    "DUCKDB, 3A1B2C3D4E5F60714455434B4300000000000000000000",
    "SQLITE, 53514C69746520666F726D6174203300100001010040202000",
    "PARQUET, 504152311504152015244C150415001200",
    "PARQUET, 504152451504152015244C150415001200",
    "ARROW, 4152524F57310000FFFFFFFF38020000",
    "ORC, 4F5243110000110A0612040802500066",
    "AVRO, 4F626A0104146176726F2E636F646563086E756C6C",
    "GZIP, 1F8B0800000000000003",
    "ZSTD, 28B52FFD2405290000312C32",
    "ZSTD, 502A4D180400000010000000",
    "BZIP2, 425A68393141592653594EECE836",
    "BZIP2, 425A683917724538509000000000",
    "XZ, FD377A585A000004E6D6B446",
    "LZ4, 04224D186440A7",
    "SEVEN_ZIP, 377ABCAF271C0004",
    "RAR, 526172211A0701003392B5E5",
    "PDF, 255044462D312E340A25E2E3CFD30A",
    "OLD_OFFICE, D0CF11E0A1B11AE10000",
    "ACCESS, 000100005374616E6461726420414345204442",
    "POSTGRES_DUMP, 5047444D50010E00040801010100",
    "HDF5, 894844460D0A1A0A00",
    "ZIP, 504B0506000000000000",
    "ZIP, 504B030414000000080000000000",
  })
  void aFormatIsToldByHowAFileBegins(FileFormat format, String hex) {
    assertThat(of(HexFormat.of().parseHex(hex))).isEqualTo(format);
  }

  @Test
  void aTarArchiveIsToldByItsFirstHeader() {
    byte[] header = new byte[512];
    System.arraycopy("a.csv".getBytes(StandardCharsets.US_ASCII), 0, header, 0, 5);
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, header, 257, 5);
    assertThat(of(header)).isEqualTo(FileFormat.TAR);
  }

  @Test
  void filesOfOfficeAreToldByWhatTheyHold() throws IOException {
    assertThat(of(zip("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml")))
        .isEqualTo(FileFormat.EXCEL);
    assertThat(of(zip("docProps/app.xml", "docProps/core.xml", "xl/theme/theme1.xml")))
        .isEqualTo(FileFormat.EXCEL);
    assertThat(of(zip("[Content_Types].xml", "word/document.xml"))).isEqualTo(FileFormat.OFFICE);
    assertThat(of(zip("xl/prices.csv"))).isEqualTo(FileFormat.ZIP);
    byte[] sheet = new byte[100];
    byte[] start = "PK\3\4".getBytes(StandardCharsets.US_ASCII);
    byte[] type =
        "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
            .getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(start, 0, sheet, 0, start.length);
    System.arraycopy(type, 0, sheet, 30, type.length);
    assertThat(of(sheet)).isEqualTo(FileFormat.OPEN_DOCUMENT);
  }

  private static byte[] zip(String... members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String member : members) {
        zip.putNextEntry(new ZipEntry(member));
        zip.write("<xml/>".getBytes(StandardCharsets.US_ASCII));
      }
    }
    return bytes.toByteArray();
  }

  /// Texts that begin as a file of another format does.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ORCID,name\n0000-0002,ann\n",
        "ORC\u0001ELF\nx\u0001y\n",
        "PAR1,PAR2\n1,2\n",
        "Obj\u0001Class\n1\u00012\n",
        "id,bird,DUCK\n1,2,3\n",
        "duckling,DUCK\n",
        "PGDMP,n\n",
        "FEA1;FEA2\n",
        "BZh,1\n",
        "",
        "\n"
      })
  void aTextThatBeginsLikeOneIsAText(String text) {
    assertThat(of(text.getBytes(StandardCharsets.UTF_8))).isNull();
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "PAR1", "ORC", "DUCK", "PK", "BZh9", "Obj\1", "FEA1", ",", "\n", "\t", "7z"),
            Arbitraries.strings().ofMaxLength(3).excludeChars('\0'),
            Arbitraries.strings().withChars("日本ソЖéß,;|\"\n\r\t\1").ofMaxLength(12))
        .list()
        .ofMaxSize(40)
        .map(parts -> String.join("", parts))
        .map(text -> text.replaceAll("[\\x00\\x0E-\\x1A\\x7F-\\x9F]", ""));
  }

  @Property
  void noTextInAnyCharsetIsTakenForAnotherFormat(@ForAll("texts") String text) {
    for (String charset : List.of("UTF-8", "ISO-8859-1", "windows-1252", "MS932", "EUC-JP")) {
      assertThat(of(text.getBytes(Charset.forName(charset)))).as(charset).isNull();
    }
  }

  @Test
  void aFileOfAnotherFormatIsNotOverwrittenAndOneOfItsOwnIs() throws IOException {
    Path file = folder.resolve("x");
    FileFormat.checkOverwritten(file, null);
    Files.write(file, HexFormat.of().parseHex("504152311504152015244C150415001200"));
    FileFormat.checkOverwritten(file, FileFormat.PARQUET);
    assertThatThrownBy(() -> FileFormat.checkOverwritten(file, null))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage(file + " holds a Parquet file, which would be lost.");
              assertThat(fault.advice()).contains("delete this one", "\n    parquet:" + file);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "out.xlsx, EXCEL",
    "out.XLSX, EXCEL",
    "a.b/out.db, DUCKDB",
    "out.pq, PARQUET",
    "x.sqlite, SQLITE",
    "out.csv,",
    "out,",
    "zip,",
    "a.zip/out,"
  })
  void aNamePromisesAFormat(String name, @Nullable FileFormat format) {
    assertThat(FileFormat.ofName(name)).isEqualTo(format);
  }
}
