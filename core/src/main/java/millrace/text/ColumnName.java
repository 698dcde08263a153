package millrace.text;

import net.sf.jsqlparser.parser.Node;
import net.sf.jsqlparser.parser.Token;
import net.sf.jsqlparser.schema.Column;

/// The name of a column as an SQL condition spells it. What the parser itself makes of it won't do:
/// it takes a dot within quotes for one that parts a table from its column.
///
/// @param name without quotes; a dot outside of them belongs to it, since a condition has one table
///   and members of documents are named so
/// @param quoted whether any of it stands in quotes
public record ColumnName(String name, boolean quoted) {

  /// The name that this reference spells.
  public static ColumnName of(Column column) {
    Node node = column.getASTNode();
    StringBuilder name = new StringBuilder();
    boolean quoted = false;
    Token last = node.jjtGetLastToken();
    for (Token token = node.jjtGetFirstToken(); ; token = token.next) {
      char first = token.image.charAt(0);
      boolean isQuoted = first == '"' || first == '`';
      name.append(isQuoted ? unquoted(token.image, String.valueOf(first)) : token.image);
      quoted |= isQuoted;
      if (token.equals(last)) {
        return new ColumnName(name.toString(), quoted);
      }
    }
  }

  private static String unquoted(String text, String quote) {
    return text.substring(1, text.length() - 1).replace(quote + quote, quote);
  }
}
