package millrace.io;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import millrace.fault.Fault;

/// One name of a glob, between slashes: `*` is any text, `?` a character, `[a-c]` and `[!a]` a
/// character of a set or not of it, `{a,b}` either text, which may have slashes; `**` alone is any
/// number of folders, none included, and at the end all files below. A backslash makes the next
/// character a plain one.
///
/// A name that begins with a dot or an underscore matches only if the pattern begins with that too.
///
/// @param text as it is written, without backslashes if it is a literal
/// @param pattern what names match
/// @param isLiteral whether it is one name only
record GlobPattern(String text, Pattern pattern, boolean isLiteral) {

  /// Every name that holds rows.
  static final GlobPattern ANY = of("*", "*");

  private static final String WILD = "*?[{";
  private static final String DEEP = "**";

  /// Whether a text has characters that mean more than themselves.
  static boolean isGlob(String text) {
    return text.chars().anyMatch(each -> WILD.indexOf(each) >= 0);
  }

  /// Whether a name is more likely itself than a pattern, if there is such a folder: `*` and `?`
  /// match themselves in any case.
  static boolean mayBeLiteral(String name) {
    return name.indexOf('*') < 0 && name.indexOf('?') < 0;
  }

  /// Each way in which a path can match, name by name.
  ///
  /// @param start where the first name begins that is a pattern
  /// @throws Fault.User if the glob makes no sense
  static List<List<GlobPattern>> alternatives(String glob, int start) {
    Set<String> plain = new LinkedHashSet<>();
    expand(glob.substring(start), 0, plain);
    return plain.stream().map(each -> names(each, glob)).toList();
  }

  private static List<GlobPattern> names(String path, String glob) {
    List<GlobPattern> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      boolean repeats = name.equals(DEEP) && !names.isEmpty() && names.getLast().isDeep();
      if (!name.isEmpty() && !repeats) {
        names.add(of(name, glob));
      }
    }
    if (names.isEmpty() || names.getLast().isDeep()) {
      names.add(ANY);
    }
    return names;
  }

  private static GlobPattern of(String name, String glob) {
    if (name.contains(DEEP) && !name.equals(DEEP)) {
      throw new Fault.User(
          "'" + name + "' (" + glob + "): ** stands alone between slashes.",
          "Write **/*.csv for files in any folder, or * for any text within a name.");
    }
    StringBuilder regex = new StringBuilder();
    StringBuilder plain = new StringBuilder();
    boolean isLiteral = true;
    int at = 0;
    while (at < name.length()) {
      int letter = name.codePointAt(at);
      int end = letter == '[' ? setEnd(name, at) : at;
      if (letter == '*' || letter == '?' || end > at) {
        isLiteral = false;
        regex.append(letter == '*' ? ".*" : letter == '?' ? "." : set(name.substring(at + 1, end)));
        at = end + 1;
      } else {
        at += letter == '\\' && at + 1 < name.length() ? 1 : 0;
        letter = name.codePointAt(at);
        plain.appendCodePoint(letter);
        regex.append(literal(letter));
        at += Character.charCount(letter);
      }
    }
    try {
      return new GlobPattern(
          isLiteral ? plain.toString() : name,
          Pattern.compile(regex.toString(), Pattern.DOTALL),
          isLiteral);
    } catch (PatternSyntaxException e) {
      throw new Fault.User(
          "'" + name + "' (" + glob + ") has a set of characters that makes no sense.",
          "Write a set as [abc], [a-z] or [!a-z].",
          e);
    }
  }

  /// Where the set ends that begins there; where it begins, if it does not end.
  private static int setEnd(String name, int from) {
    int at = from + 1;
    at += at < name.length() && isNegation(name.charAt(at)) ? 1 : 0;
    int end = name.indexOf(']', at + 1);
    return end < 0 ? from : end;
  }

  private static boolean isNegation(char letter) {
    return letter == '!' || letter == '^';
  }

  private static String set(String inside) {
    int start = isNegation(inside.charAt(0)) ? 1 : 0;
    StringBuilder regex = new StringBuilder(start > 0 ? "[^" : "[");
    int[] letters = inside.substring(start).codePoints().toArray();
    for (int i = 0; i < letters.length; i++) {
      boolean isRange = letters[i] == '-' && i > 0 && i < letters.length - 1;
      regex.append(isRange ? "-" : literal(letters[i]));
    }
    return regex.append(']').toString();
  }

  private static String literal(int letter) {
    return "\\x{" + Integer.toHexString(letter) + "}";
  }

  /// Whether it is any number of folders.
  boolean isDeep() {
    return text.equals(DEEP) && !isLiteral;
  }

  /// Whether a file or folder of that name matches.
  boolean matches(String name) {
    boolean requested = !name.isEmpty() && text.startsWith(name.substring(0, 1));
    return (requested || DataFiles.isNamedSo(name)) && pattern.matcher(name).matches();
  }

  /// Writes a pattern out once for each way to choose from its braces. A brace without its partner
  /// is text.
  private static void expand(String pattern, int from, Set<String> into) {
    int open = next(pattern, from, "{");
    if (open < 0) {
      into.add(pattern);
      return;
    }
    List<String> choices = new ArrayList<>();
    int depth = 0;
    int start = open + 1;
    for (int at = open; at >= 0; at = next(pattern, at + 1, "{,}")) {
      char letter = pattern.charAt(at);
      depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
      if (depth == 0 || (depth == 1 && letter == ',')) {
        choices.add(pattern.substring(start, at));
        start = at + 1;
      }
      if (depth == 0) {
        String rest = pattern.substring(start);
        choices.forEach(choice -> expand(pattern.substring(0, open) + choice + rest, open, into));
        return;
      }
    }
    expand(pattern, open + 1, into);
  }

  private static int next(String pattern, int from, String wanted) {
    for (int at = from; at < pattern.length(); at++) {
      if (pattern.charAt(at) == '\\') {
        at++;
      } else if (wanted.indexOf(pattern.charAt(at)) >= 0) {
        return at;
      }
    }
    return -1;
  }
}
