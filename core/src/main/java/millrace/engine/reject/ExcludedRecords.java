package millrace.engine.reject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.data.Columns;
import millrace.data.Records;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.fault.Location;
import millrace.plan.Job;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// The records that a copy set aside in {@link RejectFiles}: a verify leaves them out of the
/// source.
///
/// A record is found by where it stood, or by what it is if its source has no places; a row of a
/// table as {@link RejectedRowKeys} says. All lanes share it.
public final class ExcludedRecords {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// A record that is listed.
  ///
  /// @param index its number in the file
  /// @param start its bytes without the line end, or as many of them as were kept
  private record Listed(int index, byte[] start) {}

  /// The records of one file or table, by byte and by row.
  private record Places(NavigableMap<Long, Listed> byByte, NavigableMap<Long, Listed> byRow) {}

  private final Path file;
  private final Map<String, Places> places = new HashMap<>();
  private final Map<ByteBuffer, Listed> placeless = new HashMap<>();
  private final RejectedRowKeys tableRows = new RejectedRowKeys();
  private final Map<String, String> keys = new ConcurrentHashMap<>();
  private final Set<Integer> found = ConcurrentHashMap.newKeySet();
  private int listed;

  private ExcludedRecords(Path file) {
    this.file = file;
  }

  /// Reads the file of bad records and the reasons beside it.
  ///
  /// @throws Fault.User if either is not there or is no such file
  public static ExcludedRecords read(Path file) {
    ExcludedRecords leftOut = new ExcludedRecords(file);
    Path reasons = Job.RejectPolicy.reasons(file);
    try (InputStream records = new BufferedInputStream(Files.newInputStream(file))) {
      List<JsonNode> lines = new ArrayList<>();
      for (String line : Files.readAllLines(reasons)) {
        lines.add(JSON.readTree(line));
      }
      long bytes = lines.stream().mapToLong(line -> line.path("record_bytes").asLong()).sum();
      records.skipNBytes(Math.max(0, Files.size(file) - bytes));
      for (JsonNode line : lines) {
        byte[] record = records.readNBytes(line.path("record_bytes").asInt());
        if (line.has(RejectFiles.SPELLED)) {
          leftOut.tableRows.add(leftOut.listed++, line, record);
        } else {
          leftOut.add(RejectFiles.reject(line, record));
        }
      }
      return leftOut;
    } catch (JsonProcessingException e) {
      throw new Fault.User(
          reasons + " has a line that no copy has written.",
          "Name the file that copy --rejects has made.",
          e);
    } catch (IOException e) {
      throw new Fault.User(
          "Can't read the bad records in " + file + ": " + FileTrouble.reason(e) + ".",
          "--rejects takes the file that copy --rejects has made; its reasons are in "
              + reasons.getFileName()
              + " beside it.",
          e);
    }
  }

  private void add(Reject reject) {
    Listed record = new Listed(listed++, withoutEnd(reject.record()));
    if (!reject.hasPlace()) {
      placeless.put(ByteBuffer.wrap(record.start), record);
      return;
    }
    Places of =
        places.computeIfAbsent(
            key(reject.resource()), _ -> new Places(new TreeMap<>(), new TreeMap<>()));
    if (reject.byteOffset() >= 0) {
      of.byByte.put(reject.byteOffset(), record);
    } else {
      of.byRow.put(reject.row(), record);
    }
  }

  /// Whether a record that a reader refuses is one of them.
  public boolean takes(RejectLog.SetAside bad) {
    Reject reject = bad.reject();
    int row = tableRows.find(bad);
    return isFound(row)
        || isFound(
            reject.resource(),
            reject.byteOffset(),
            reject.row(),
            reject.hasPlace(),
            reject.record());
  }

  private boolean isFound(int row) {
    if (row != RejectedRowKeys.NONE) {
      found.add(row);
    }
    return row != RejectedRowKeys.NONE;
  }

  /// Which rows of a batch are among them; null if none is.
  public boolean @Nullable [] rows(Columns batch) {
    if (!tableRows.isEmpty() && batch.origin() == null) {
      return ofTable(tableRows.find(batch));
    }
    if (batch.rows() == 0 || (placeless.isEmpty() && !holdsSome(batch))) {
      return null;
    }
    Location place = batch.location();
    Records origin = batch.origin();
    boolean[] rows = new boolean[batch.rows()];
    boolean any = false;
    for (int row = 0; row < rows.length; row++) {
      long at = batch.byteOffset(row);
      long number = place.firstRow() == 0 ? 0 : place.firstRow() + batch.offset(row);
      byte[] record = origin == null ? new byte[0] : origin.record(row);
      rows[row] = isFound(place.resource(), at, number, at >= 0 || number > 0, record);
      any |= rows[row];
    }
    return any ? rows : null;
  }

  private boolean[] ofTable(int[] numbers) {
    boolean[] rows = new boolean[numbers.length];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = isFound(numbers[row]);
    }
    return rows;
  }

  private boolean holdsSome(Columns batch) {
    Places of = places.get(key(batch.location().resource()));
    if (of == null) {
      return false;
    }
    int last = batch.rows() - 1;
    long firstByte = batch.byteOffset(0);
    long lastByte = batch.byteOffset(last);
    long firstRow = batch.location().firstRow();
    return (lastByte >= 0 && !of.byByte.subMap(firstByte, true, lastByte, true).isEmpty())
        || !of.byRow
            .subMap(firstRow + batch.offset(0), true, firstRow + batch.offset(last), true)
            .isEmpty();
  }

  private boolean isFound(String resource, long at, long row, boolean hasPlace, byte[] record) {
    Places of = places.get(key(resource));
    Listed one;
    if (!hasPlace) {
      one = placeless.get(ByteBuffer.wrap(withoutEnd(record)));
    } else {
      one = of == null ? null : at >= 0 ? of.byByte.get(at) : of.byRow.get(row);
    }
    if (one == null) {
      return false;
    }
    if (record.length > 0 && !startsWith(record, one.start)) {
      throw new Fault.User(
          resource
              + (at >= 0 ? ", byte " + at : ", row " + row)
              + ": the record there is not the one that "
              + file
              + " has from there.",
          "The file has changed since, or the bad records are those of another.");
    }
    found.add(one.index);
    return true;
  }

  /// How many were found in the source so far.
  public int found() {
    return found.size();
  }

  /// All has been read.
  ///
  /// @throws Fault.User if some of the records are not in the source
  public void requireAll(String label) {
    if (found.size() < listed) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s has %,d bad records, of which %,d are in %s.",
              file,
              listed,
              found.size(),
              label),
          "Name the file of bad records of the copy from there.");
    }
  }

  /// One key for all spellings of a path.
  private String key(String resource) {
    return keys.computeIfAbsent(
        resource,
        _ -> {
          try {
            return Path.of(resource).toRealPath().toString();
          } catch (IOException | InvalidPathException _) {
            return resource;
          }
        });
  }

  private static boolean startsWith(byte[] record, byte[] start) {
    return Arrays.mismatch(record, start) < 0 || Arrays.mismatch(record, start) == start.length;
  }

  /// A record may have got its line end, of one byte or several, in the file only.
  private static byte[] withoutEnd(byte[] record) {
    int end = record.length;
    while (end > 0
        && (record[end - 1] == '\n' || record[end - 1] == '\r' || record[end - 1] == 0)) {
      end--;
    }
    return Arrays.copyOf(record, end);
  }
}
