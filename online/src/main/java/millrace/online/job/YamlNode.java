package millrace.online.job;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A part of a YAML document that knows in which line it stands. Scalars are kept as they are
/// spelled.
///
/// @param line from 1
/// @param text the scalar; null if it is none
/// @param fields of a mapping, in their order; empty if it is none
/// @param items of a sequence; empty if it is none
record YamlNode(
    int line, @Nullable String text, Map<String, YamlNode> fields, List<YamlNode> items) {

  /// Reads a document.
  ///
  /// @param name of the file, for the message
  /// @throws Fault.User if it is no YAML, has a key twice, or is more than one document
  static YamlNode parse(String name, String document) {
    try (JsonParser parser = new YAMLFactory().createParser(document)) {
      if (parser.nextToken() == null) {
        throw new Fault.User(name + " is empty.", "millrace online --example shows a job.");
      }
      YamlNode root = node(name, parser);
      if (parser.nextToken() != null) {
        int line = parser.currentTokenLocation().getLineNr();
        throw new Fault.User(
            name + ", line " + line + ": a second document begins.", "A job is one document.");
      }
      return root;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new Fault.User(
          name + ", line " + line + ": this is no YAML.",
          "Indent with blanks, and quote values that hold a colon or a #.",
          e);
    } catch (IOException e) {
      throw new Fault.Bug("text in memory can't be read", e);
    }
  }

  private static YamlNode node(String name, JsonParser parser) throws IOException {
    int line = parser.currentTokenLocation().getLineNr();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(name, parser));
      }
      return new YamlNode(line, null, Map.of(), items);
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      String text = parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getText();
      return new YamlNode(line, text, Map.of(), List.of());
    }
    Map<String, YamlNode> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      YamlNode value = node(name, parser);
      if (fields.put(key, value.at(keyLine)) != null) {
        throw new Fault.User(
            name + ", line " + keyLine + ": " + key + " is there twice.", "Leave one of them out.");
      }
    }
    return new YamlNode(line, null, fields, List.of());
  }

  private YamlNode at(int otherLine) {
    return new YamlNode(otherLine, text, fields, items);
  }
}
