package millrace.spi.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import millrace.fault.Fault;

/// How a journal spells what it keeps, such as a {@link RunRecord} or a {@link Receipt}: as JSON.
///
/// @param journal how the user knows the journal
/// @param advice how to be rid of it
public record JournalText(String journal, String advice) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Spells it, in one line.
  public static String write(Object kept) {
    try {
      return JSON.writeValueAsString(kept);
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("what a journal keeps does not become JSON", e);
    }
  }

  /// What was spelled.
  ///
  /// @throws Fault.User where it is something else
  public <T> T read(String text, Class<T> type) {
    try {
      return JSON.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new Fault.User(
          journal + " was written by another version of Millrace, or is damaged.", advice, e);
    }
  }
}
