package millrace.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Secret;

/// The parameters of a URL, decoded, with the password apart from the others.
///
/// @param values by name; names in lower case, words joined by `-`
/// @param password what stood in `password=`
record Parameters(Map<String, String> values, Secret password) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
  private static final String PASSWORD = "password";

  static Parameters none() {
    return new Parameters(Map.of(), Secret.NONE);
  }

  /// Reads `name=value&name=value`; `%xx` is decoded as UTF-8 (RFC 3986), a `+` is a plus.
  ///
  /// @throws Fault.User if a name is none, or one comes twice
  static Parameters parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (String pair : text.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String spelled = equals < 0 ? pair : pair.substring(0, equals);
      if (!NAME.matcher(spelled).matches()) {
        // Not repeated: it may be the rest of a password with a bare ? or & in it.
        throw new Fault.User(
            "What follows the ? in a URL is not name=value&name=value.",
            "Write a ? or & that is part of a value, user or password as %3F or %26.");
      }
      String name = canonical(spelled);
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1), name);
      if (values.put(name, value) != null) {
        throw new Fault.User(
            "The parameter " + name + " stands twice in one URL.", "Write it once.");
      }
    }
    String password = values.remove(PASSWORD);
    return new Parameters(values, password == null ? Secret.NONE : Secret.of(password));
  }

  /// One spelling for a parameter's name: `NULL_STRING` is `null-string`.
  static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// This password, or another if there is none.
  Secret passwordOr(Secret other) {
    return password.reveal() == null ? other : password;
  }

  /// Decodes `%xx`.
  ///
  /// @param name for the message; the value may be secret
  /// @throws Fault.User if a % is not followed by two hexadecimal digits, or the bytes are not
  ///   UTF-8
  static String decode(String text, String name) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '%') {
        decoded.write(bytes[i]);
        continue;
      }
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw badPercent(name);
      }
      decoded.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded.toByteArray()))
          .toString();
    } catch (CharacterCodingException _) {
      throw badPercent(name);
    }
  }

  private static Fault.User badPercent(String name) {
    return new Fault.User(
        "The parameter " + name + " holds a % that begins no %xx of UTF-8.",
        "Write a percent sign in a URL as %25.");
  }
}
