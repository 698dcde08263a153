package millrace.connectors.duckdb;

import millrace.fault.Fault;

/// Goes through a type as DuckDB's catalogue spells it.
public final class TypeCursor {

  private final String declared;
  private int at;

  /// @param declared for example `STRUCT(a INTEGER, "b c" VARCHAR[])`
  public TypeCursor(String declared) {
    this.declared = declared;
  }

  /// The name of a struct's member, and the blank behind it.
  public String name() {
    int from = at;
    at = wordEnd(" ");
    String name = declared.substring(from, at);
    skip(" ");
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  /// A type of single values, up to what can only stand behind one.
  public String word() {
    int from = at;
    at = wordEnd(",)[");
    return declared.substring(from, at);
  }

  /// Goes beyond what makes a list of what stands before it; false if it is none.
  public boolean skipsList() {
    boolean isList = skips("[");
    if (isList) {
      at = declared.indexOf(']', at) + 1;
    }
    return isList;
  }

  /// Where one of those characters stands, but within brackets or quotes; or the end.
  private int wordEnd(String ends) {
    int depth = 0;
    char quote = 0;
    for (int i = at; i < declared.length(); i++) {
      char each = declared.charAt(i);
      if (quote != 0) {
        quote = each == quote ? 0 : quote;
      } else if (each == '\'' || each == '"') {
        quote = each;
      } else if (depth == 0 && ends.indexOf(each) >= 0) {
        return i;
      } else if (each == '(') {
        depth++;
      } else if (each == ')') {
        depth--;
      }
    }
    return declared.length();
  }

  /// Goes beyond a text; false if it does not stand there.
  public boolean skips(String what) {
    boolean isThere = declared.startsWith(what, at);
    if (isThere) {
      at += what.length();
    }
    return isThere;
  }

  /// Goes beyond a text that has to stand there.
  public void skip(String what) {
    if (!skips(what)) {
      throw new Fault.Bug("\"" + what + "\" is not at " + at + " of type " + declared, null);
    }
  }
}
