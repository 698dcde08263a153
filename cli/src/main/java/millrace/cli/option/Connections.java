package millrace.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.cli.Console;
import millrace.endpoint.Connection;
import millrace.fault.Fault;
import millrace.spi.Secret;

/// Connections by name: environment variables `MILLRACE_NAME=URL`, then the connections file, whose
/// layout is that of Sling's `env.yaml`. The environment wins.
public final class Connections {

  /// Reads what users have written: the same name twice is a mistake, and so is a second document,
  /// which nobody would look into. Most starts read nothing.
  static YAMLMapper yaml() {
    return YAMLMapper.builder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  private static final String PREFIX = "MILLRACE_";

  /// Fields that say which server it is without its name: Oracle's names, and libpq's.
  private static final List<String> NAMES_A_SERVER = List.of("tns", "service", "hostaddr");

  private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+._-]+:.*", Pattern.DOTALL);
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}");

  /// One that is no reference to the environment, in a field of its own or in a URL.
  private static final Pattern PASSWORD =
      Pattern.compile(
          "(?im)(?:^|[{,])\\s*[\"']?password[\"']?\\s*:\\s*[\"']?(?!\\$\\{)[^\\s\"'#]"
              + "|://[^/@\\s:]*:(?!\\$\\{)[^@\\s]+@|[?&]password=(?!\\$\\{)\\S");

  private static final Set<PosixFilePermission> TOO_OPEN =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final Path file;
  private final Map<String, String> env;

  private Connections(Path file, Map<String, String> env) {
    this.file = file;
    this.env = env;
  }

  /// All connections.
  ///
  /// @throws Fault.User if the file can't be understood
  public static Map<String, Supplier<Connection>> load(Console console) {
    Path file = file(console);
    Map<String, Supplier<Connection>> all = new Connections(file, console.env()).ofFile();
    console
        .env()
        .forEach((name, value) -> {
          if (name.startsWith(PREFIX) && URL.matcher(value).matches()) {
            String word = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
            all.put(word, () -> Connection.of("environment variable " + name, value));
          }
        });
    return all;
  }

  /// Warns if the connections file holds a password and others of the machine may read it.
  public static void warn(Console console) {
    Path file = file(console);
    try {
      if (Files.isRegularFile(file)
          && file.getFileSystem().supportedFileAttributeViews().contains("posix")
          && Files.getPosixFilePermissions(file).stream().anyMatch(TOO_OPEN::contains)
          && PASSWORD.matcher(Files.readString(file)).find()) {
        console
            .err()
            .println(
                "millrace: "
                    + file
                    + " holds passwords, and others may read it. To mend that:\n  chmod 600 "
                    + file);
      }
    } catch (IOException _) {
      // It can't be read: whoever needs it is told.
      return;
    }
  }

  /// Where the connections file is.
  static Path file(Console console) {
    return console.folder("XDG_CONFIG_HOME", ".config").resolve("connections.yaml");
  }

  private Map<String, Supplier<Connection>> ofFile() {
    Map<String, Supplier<Connection>> all = new HashMap<>();
    if (!Files.exists(file)) {
      return all;
    }
    for (Map.Entry<String, JsonNode> entry : read().path("connections").properties()) {
      String name = entry.getKey().toLowerCase(Locale.ROOT).replace('-', '_');
      Supplier<Connection> other =
          all.put(name, () -> connection(entry.getKey(), entry.getValue()));
      if (other != null) {
        throw new Fault.User(
            file + " has more than one connection " + entry.getKey() + ".",
            "Give each a name of its own; upper and lower case, - and _ are the same.");
      }
    }
    return all;
  }

  private JsonNode read() {
    try {
      JsonNode root = yaml().readTree(file.toFile());
      if (root.isMissingNode() || root.isNull()) {
        return JsonNodeFactory.instance.objectNode();
      }
      if (!root.path("connections").isObject()) {
        throw new Fault.User(
            file + " has no `connections:` with names under it.",
            "Write connections:, below it NAME:, below that type:, host:, database: …");
      }
      return root;
    } catch (MismatchedInputException e) {
      throw new Fault.User(
          file + ", line " + e.getLocation().getLineNr() + ": a second document begins.",
          "Write all connections below one connections:, and no --- between them.");
    } catch (JsonProcessingException e) {
      // Not the parser's own message: it may repeat the line, and the line may hold a password.
      throw new Fault.User(
          file + ", line " + e.getLocation().getLineNr() + ": this is no YAML.",
          "Indent with blanks, quote values that hold a colon or a #, and write no name twice.");
    } catch (IOException e) {
      throw new Fault.User("Can't read " + file + ".", "Make it readable, or move it away.", e);
    }
  }

  private Connection connection(String name, JsonNode node) {
    String origin = file + ", connection " + name;
    if (node.isTextual()) {
      return Connection.of(origin, filled(name, node.asText()));
    }
    if (!node.isObject()) {
      throw new Fault.User(
          origin + (node.isNull() ? " is empty." : " is no URL, nor has it parts with names."),
          "Give it a url:, or a type: and host:.");
    }
    Map<String, String> fields = new HashMap<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!field.getValue().isValueNode()) {
        throw new Fault.User(
            origin + ": " + field.getKey() + " is not a single value.", "Write one value.");
      }
      fields.put(field.getKey().toLowerCase(Locale.ROOT), filled(name, field.getValue().asText()));
    }
    String password = fields.remove("password");
    Secret secret = password == null ? Secret.NONE : Secret.of(password);
    String schema = fields.getOrDefault("schema", "");
    fields.remove("schema");
    String url = url(origin, fields);
    Map<String, String> parameters = new HashMap<>();
    fields.forEach((key, value) -> parameters.put(key.replace('_', '-'), value));
    return new Connection(origin, url, parameters, schema, secret);
  }

  /// Takes the fields that make up the URL out of the others, which are its parameters.
  private static String url(String origin, Map<String, String> fields) {
    String type = fields.remove("type");
    String url = fields.remove("url");
    if (url != null) {
      return url;
    }
    if (type == null) {
      throw new Fault.User(
          origin + " has neither url: nor type:.", "Give it a url:, or a type: and host:.");
    }
    String path = fields.remove(fields.containsKey("instance") ? "instance" : "path");
    if (path != null) {
      return type + ":" + path;
    }
    String host = fields.remove("host");
    if (host == null && NAMES_A_SERVER.stream().anyMatch(fields::containsKey)) {
      host = "";
    }
    if (host == null) {
      throw new Fault.User(
          origin + " has no host:.",
          "Give it a host: (a server), or a path: (an embedded system).");
    }
    String user = fields.remove("user");
    String port = fields.remove("port");
    if (port != null && !isPort(port)) {
      throw new Fault.User(
          origin + ": there is no port '" + port + "'.", "Write a number from 1 to 65535.");
    }
    String database =
        fields.remove(fields.containsKey("service_name") ? "service_name" : "database");
    return type
        + "://"
        + (user == null ? "" : encoded(user) + "@")
        + (host.startsWith("/") ? encoded(host) : host)
        + (port == null ? "" : ":" + port)
        + (database == null ? "" : "/" + encoded(database));
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) < 65_536;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// Puts the environment's values in the place of `${NAME}`.
  private String filled(String connection, String text) {
    Matcher matcher = REFERENCE.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (matcher.find()) {
      String value = env.get(matcher.group(1));
      if (value == null) {
        throw new Fault.User(
            file
                + ", connection "
                + connection
                + ": the environment variable "
                + matcher.group(1)
                + " is not set.",
            "Set it, or take ${" + matcher.group(1) + "} out.");
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(filled).toString();
  }
}
