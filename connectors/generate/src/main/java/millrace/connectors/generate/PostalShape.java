package millrace.connectors.generate;

import static millrace.connectors.generate.JapaneseNames.utf8;

import java.util.List;
import millrace.connectors.generate.JapaneseNames.Name;
import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;

/// `postal`: field report D's documents, one for each postal code of Japan, about 1.8 KB of JSON
/// with Japanese text.
final class PostalShape {

  private static final int ID_DIGITS = 10;
  private static final long STREETS_LEAST = 11;
  private static final long STREETS_MORE = 8;

  private static final byte[] CODE = utf8("{\"postal_code\":\"");
  private static final byte[] OLD_CODE = utf8("\",\"old_code\":\"");
  private static final byte[] PREFECTURE = utf8("\",\"prefecture\":{\"code\":\"");
  private static final byte[] CITY = utf8("\"},\"city\":{\"code\":\"");
  private static final byte[] TOWN = utf8("\"},\"town\":{\"kanji\":\"");
  private static final byte[] KANJI = utf8("\",\"kanji\":\"");
  private static final byte[] KANA = utf8("\",\"kana\":\"");
  private static final byte[] PLACE = utf8("\"},\"location\":{\"latitude\":");
  private static final byte[] LONGITUDE = utf8(",\"longitude\":");
  private static final byte[] POINT = utf8(".");
  private static final byte[] STREETS = utf8("},\"streets\":[");
  private static final byte[] COMMA = utf8(",");
  private static final byte[] STREET = utf8("{\"kanji\":\"");
  private static final byte[] STREET_KANJI = utf8("丁目");
  private static final byte[] STREET_KANA = utf8("チョウメ");
  private static final byte[] HOUSEHOLDS = utf8("\",\"households\":");
  private static final byte[] RESIDENTS = utf8(",\"residents\":");
  private static final byte[] STREET_END = utf8("}");
  private static final byte[] UPDATED = utf8("],\"updated\":\"2011-");
  private static final byte[] DASH = utf8("-");
  private static final byte[] END = utf8("\"}");

  private PostalShape() {}

  static Shape of(ShapeParameters shapeParameters) {
    List<MadeColumn> columns =
        List.of(
            MadeColumn.of("id", new Type.Text(ID_DIGITS), ID_DIGITS, PostalShape::ids),
            MadeColumn.of("doc", new Type.Json(), 1_850, PostalShape::documents));
    return new RowShape(
        columns, List.of("id"), Shapes.rows(shapeParameters), Shapes.seed(shapeParameters));
  }

  private static void ids(Vector into, long seed, long firstRow, int rows) {
    BytesVector vector = (BytesVector) into;
    Utf8Writer id = new Utf8Writer();
    for (int row = 0; row < rows; row++) {
      id.clear();
      id.put(firstRow + row + 1, ID_DIGITS);
      vector.append(row, id.bytes(), 0, id.length());
    }
  }

  private static void documents(Vector into, long seed, long firstRow, int rows) {
    BytesVector vector = (BytesVector) into;
    Utf8Writer document = new Utf8Writer();
    for (int row = 0; row < rows; row++) {
      document.clear();
      write(document, new Draws(Counter.at(seed, firstRow + row)));
      vector.append(row, document.bytes(), 0, document.length());
    }
  }

  private static void write(Utf8Writer out, Draws draws) {
    long code = draws.below(10_000_000);
    int prefecture = (int) draws.below(JapaneseNames.PREFECTURES.size());
    out.put(CODE).put(code, 7).put(OLD_CODE).put(code / 100, 5);
    out.put(PREFECTURE).put(prefecture + 1L, 2).put(KANJI);
    bothScripts(out, JapaneseNames.PREFECTURES.get(prefecture));
    out.put(CITY).put(prefecture + 1L, 2).put(draws.below(1_000), 3).put(KANJI);
    bothScripts(out, draws.of(JapaneseNames.PLACES), draws.of(JapaneseNames.MUNICIPALITIES));
    out.put(TOWN);
    Name town = draws.of(JapaneseNames.PLACES);
    Name quarter = draws.of(JapaneseNames.QUARTERS);
    bothScripts(out, town, quarter);
    out.put(PLACE).put(24 + draws.below(21), 2).put(POINT).put(draws.below(1_000_000), 6);
    out.put(LONGITUDE).put(123 + draws.below(23), 3).put(POINT).put(draws.below(1_000_000), 6);
    out.put(STREETS);
    streets(out, draws, town, quarter);
    out.put(UPDATED).put(1 + draws.below(12), 2).put(DASH).put(1 + draws.below(28), 2).put(END);
  }

  private static void streets(Utf8Writer out, Draws draws, Name town, Name quarter) {
    long streets = STREETS_LEAST + draws.below(STREETS_MORE);
    for (long street = 1; street <= streets; street++) {
      if (street > 1) {
        out.put(COMMA);
      }
      out.put(STREET).put(town.kanji()).put(quarter.kanji()).put(street, 1).put(STREET_KANJI);
      out.put(KANA).put(town.kana()).put(quarter.kana()).put(street, 1).put(STREET_KANA);
      out.put(HOUSEHOLDS).put(draws.below(2_000), 1);
      out.put(RESIDENTS).put(draws.below(5_000), 1).put(STREET_END);
    }
  }

  private static void bothScripts(Utf8Writer out, Name... parts) {
    for (Name part : parts) {
      out.put(part.kanji());
    }
    out.put(KANA);
    for (Name part : parts) {
      out.put(part.kana());
    }
  }

  /// The random numbers of one document, one after the other.
  private static final class Draws {

    private final long cell;
    private long drawn;

    Draws(long cell) {
      this.cell = cell;
    }

    long below(long bound) {
      return Counter.below(Counter.at(cell, drawn++), bound);
    }

    Name of(List<Name> names) {
      return names.get((int) below(names.size()));
    }
  }
}
