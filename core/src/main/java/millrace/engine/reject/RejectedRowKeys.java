package millrace.engine.reject;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Columns;
import millrace.data.ReadRows;
import millrace.data.Schema;
import millrace.data.spelling.RowRecord;
import millrace.data.spelling.Spelling;
import org.jspecify.annotations.Nullable;

/// Rows of a table that a copy has set aside: found by their primary key, or else by what they are,
/// since rows stand elsewhere whenever a table is read. All lanes share it; it locks.
final class RejectedRowKeys {

  /// No row.
  static final int NONE = -1;

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Rows that are alike: as many are left out as are listed.
  ///
  /// @param listed their numbers in the file
  /// @param taken where those stand that have been found
  private record Alike(List<Integer> listed, List<String> taken) {}

  private final Map<List<String>, Map<List<String>, Integer>> byKey = new HashMap<>();
  private final Map<ByteBuffer, Alike> byContent = new HashMap<>();

  /// Lists one more.
  ///
  /// @param index its number in the file
  /// @param line what the reasons have of it
  /// @param record its bytes in the file
  void add(int index, JsonNode line, byte[] record) throws IOException {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : line.path(RejectFiles.KEY).properties()) {
      names.add(each.getKey());
      values.add(each.getValue().asText());
    }
    if (!names.isEmpty()) {
      byKey.computeIfAbsent(names, _ -> new HashMap<>()).put(values, index);
    }
    boolean isJson = line.path(RejectFiles.SPELLED).asText().equals(RejectLayout.JSON_LINES);
    byContent
        .computeIfAbsent(
            ByteBuffer.wrap(isJson ? ofJson(record) : record),
            _ -> new Alike(new ArrayList<>(), new ArrayList<>()))
        .listed
        .add(index);
  }

  /// The row as {@link RowRecord} spells it; not quite, if a value is an object or a list.
  private static byte[] ofJson(byte[] record) throws IOException {
    List<@Nullable String> values = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(record)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        values.add(parser.nextToken() == JsonToken.VALUE_NULL ? null : parser.getText());
        parser.skipChildren();
      }
    }
    return RowRecord.spell(values);
  }

  boolean isEmpty() {
    return byContent.isEmpty();
  }

  /// The number of a row that a reader or the engine refuses, or {@link #NONE}.
  int find(RejectLog.SetAside bad) {
    Integer found = byKey(List.copyOf(bad.key().keySet()), List.copyOf(bad.key().values()));
    return found == null ? byContent(bad.reject().record(), "") : found;
  }

  /// The number of each row of a batch, or {@link #NONE}.
  int[] find(Columns batch) {
    ReadRows read = batch.asRead();
    Schema schema = read.schema();
    RowRecord speller = RowRecord.of(schema);
    int[] found = new int[batch.rows()];
    for (int row = 0; row < found.length; row++) {
      Integer index = byKey.isEmpty() ? null : byKey(schema.key(), key(read, row));
      String place = batch.location().split() + "/" + batch.rowOfSplit(row);
      found[row] = index == null ? byContent(speller.spell(read.vectors(), row), place) : index;
    }
    return found;
  }

  private static List<String> key(ReadRows read, int row) {
    Schema schema = read.schema();
    return schema.key().stream()
        .map(name -> {
          int at = schema.indexOf(name);
          return Spelling.text(schema.column(at).type(), read.vectors()[at], row);
        })
        .toList();
  }

  private @Nullable Integer byKey(List<String> names, List<String> values) {
    return names.isEmpty() ? null : byKey.getOrDefault(names, Map.of()).get(values);
  }

  /// A row that is read once more is the same one.
  private synchronized int byContent(byte[] record, String place) {
    Alike alike = byContent.get(ByteBuffer.wrap(record));
    if (alike == null) {
      return NONE;
    }
    int known = place.isEmpty() ? -1 : alike.taken.indexOf(place);
    if (known >= 0) {
      return alike.listed.get(known);
    }
    if (alike.taken.size() == alike.listed.size()) {
      return NONE;
    }
    alike.taken.add(place);
    return alike.listed.get(alike.taken.size() - 1);
  }
}
