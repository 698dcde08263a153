package millrace.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A part of a YAML document that knows in which line it stands. Scalars are kept as they are
/// spelled.
///
/// @param line from 1
/// @param text the scalar; null if it is none
/// @param fields of a mapping, in their order; empty if it is none
/// @param items of a sequence; empty if it is none
public record YamlNode(
    int line, @Nullable String text, Map<String, YamlNode> fields, List<YamlNode> items) {

  private static final Pattern TAB = Pattern.compile("^\\s*\\t");

  public YamlNode {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    items = List.copyOf(items);
  }

  /// A part of nothing, for what is left out.
  ///
  /// @param line where it would stand
  public static YamlNode none(int line) {
    return new YamlNode(line, "", Map.of(), List.of());
  }

  /// Reads a document.
  ///
  /// @param name of the file, for the message
  /// @param ifEmpty the advice for a file that holds nothing
  /// @throws Fault.User if it is no YAML, has a key twice, is more than one document, or repeats
  ///   parts of itself by `&` and `*`
  public static YamlNode parse(String name, String document, String ifEmpty) {
    try (JsonParser parser = new YAMLFactory().createParser(document)) {
      if (parser.nextToken() == null) {
        throw new Fault.User(name + " is empty.", ifEmpty);
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
      throw noYaml(name, document, line, e);
    } catch (IOException e) {
      throw new Fault.Bug("text in memory can't be read", e);
    }
  }

  /// Not the parser's own message: it may repeat the line, and the line may hold a password.
  private static Fault.User noYaml(String name, String document, int line, Exception cause) {
    List<String> lines = document.lines().toList();
    // The parser may name the line before.
    for (int at = line; at <= Math.min(line + 1, lines.size()); at++) {
      if (TAB.matcher(lines.get(at - 1)).find()) {
        return new Fault.User(
            name + ", line " + at + ": it is indented with a tab.", "Indent with blanks.", cause);
      }
    }
    return new Fault.User(
        name + ", line " + line + ": this is no YAML.",
        "Indent with blanks, and quote values that hold a colon or a #.",
        cause);
  }

  private static YamlNode node(String name, JsonParser parser) throws IOException {
    int line = parser.currentTokenLocation().getLineNr();
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      throw new Fault.User(
          name + ", line " + line + ": *" + yaml.getText() + " repeats another part of the file.",
          "Write out what stands there.");
    }
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
