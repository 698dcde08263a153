package millrace.spi.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.text.RecordJson;
import org.jspecify.annotations.Nullable;

/// How all journals spell their entries: each in a line of JSON with the version of the spelling.
/// What another version has written is read if it is known how, and refused otherwise.
///
/// @param journal how the user knows the journal
/// @param advice how to be rid of it
/// @param earlier reads what versions before this spelling have written
public record JournalText(String journal, String advice, Earlier earlier) {

  private static final int VERSION = 1;

  /// For reading; copies that only write do without its set-up.
  private static final class Reading {
    private static final ObjectMapper JSON =
        new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  /// What a version before this spelling has written of a run. Receipts had one spelling, and are
  /// known.
  @FunctionalInterface
  public interface Earlier {

    /// What it says; empty if it is something else.
    List<Entry> entries(JsonNode json) throws JsonProcessingException;
  }

  /// One entry; all of its parts but one are null.
  ///
  /// @param v the version of the spelling
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Line(
      int v,
      Entry.@Nullable Begun begun,
      Entry.@Nullable Taken taken,
      Entry.@Nullable Sealing sealing,
      Entry.@Nullable Complete complete) {

    static Line of(Entry entry) {
      return switch (entry) {
        case Entry.Begun begun -> new Line(VERSION, begun, null, null, null);
        case Entry.Taken taken -> new Line(VERSION, null, taken, null, null);
        case Entry.Sealing sealing -> new Line(VERSION, null, null, sealing, null);
        case Entry.Complete complete -> new Line(VERSION, null, null, null, complete);
      };
    }

    @Nullable Entry entry() {
      return begun != null ? begun : taken != null ? taken : sealing != null ? sealing : complete;
    }
  }

  /// Spells an entry, in one line without its end.
  public static String spell(Entry entry) {
    return RecordJson.PLAIN.line(Line.of(entry));
  }

  /// Spells entries, a line each.
  public static String spell(List<? extends Entry> entries) {
    return entries.stream().map(JournalText::spell).collect(Collectors.joining("\n"));
  }

  /// What a connector has to know of an entry, as the entry has it.
  public static JsonNode details(Object known) {
    return RecordJson.PLAIN.tree(known);
  }

  /// The entries of some lines.
  ///
  /// @throws Fault.User if they are something else, or of a version that is not known
  public List<Entry> entries(String lines) {
    List<Entry> entries = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      if (!line.isBlank()) {
        entries.addAll(line(line));
      }
    }
    return entries;
  }

  private List<Entry> line(String text) {
    try {
      JsonNode json = Reading.JSON.readTree(text);
      if (json.has("v")) {
        Line line = Reading.JSON.treeToValue(json, Line.class);
        Entry entry = line.entry();
        if (line.v != VERSION || entry == null || !isComplete(entry)) {
          throw damaged();
        }
        return List.of(entry);
      }
      List<Entry> entries =
          json.has("split")
              ? List.of(new Entry.Taken(Reading.JSON.treeToValue(json, Receipt.class), null))
              : earlier.entries(json);
      if (entries.isEmpty() || !entries.stream().allMatch(JournalText::isComplete)) {
        throw damaged();
      }
      return entries;
    } catch (JsonProcessingException e) {
      throw unknown(e);
    }
  }

  /// Whether an entry has what no version leaves out.
  private static boolean isComplete(Entry entry) {
    return switch (entry) {
      case Entry.Begun begun -> begun.run() != null && begun.run().id() != null;
      case Entry.Taken taken ->
          taken.receipt() != null
              && taken.receipt().split() != null
              && taken.receipt().split().resource() != null;
      case Entry.Sealing _, Entry.Complete _ -> true;
    };
  }

  /// What a connector has to know of an entry.
  ///
  /// @throws Fault.User if it is something else
  public <T> T details(@Nullable JsonNode details, Class<T> type) {
    try {
      if (details == null) {
        throw damaged();
      }
      return Reading.JSON.treeToValue(details, type);
    } catch (JsonProcessingException e) {
      throw unknown(e);
    }
  }

  /// The same of a text.
  public <T> T value(String json, Class<T> type) {
    try {
      return details(Reading.JSON.readTree(json), type);
    } catch (JsonProcessingException e) {
      throw unknown(e);
    }
  }

  /// What to tell if it says something else than it should.
  public Fault.User damaged() {
    return unknown(null);
  }

  private Fault.User unknown(@Nullable Throwable cause) {
    String what = journal + " was written by another version of Millrace, or is damaged.";
    return cause == null ? new Fault.User(what, advice) : new Fault.User(what, advice, cause);
  }

  /// The run of which something says, for {@link Earlier}.
  public static RunRecord run(JsonNode json) throws JsonProcessingException {
    return Reading.JSON.treeToValue(json.path("run"), RunRecord.class);
  }

  /// The mode of which something says, for {@link Earlier}.
  public static Mode mode(JsonNode json) throws JsonProcessingException {
    return Reading.JSON.treeToValue(json.path("mode"), Mode.class);
  }

  /// The receipt of which something says, for {@link Earlier}.
  public static Receipt receipt(JsonNode json) throws JsonProcessingException {
    return Reading.JSON.treeToValue(json.path("receipt"), Receipt.class);
  }
}
