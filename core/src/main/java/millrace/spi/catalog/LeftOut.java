package millrace.spi.catalog;

/// Something of a database that does not come along with its tables.
///
/// @param kind what it is, in a word or two, such as `trigger`
/// @param name its own; may be empty
/// @param table the table that it belongs to; empty if it stands by itself
/// @param why as the end of a sentence; may be empty
public record LeftOut(String kind, String name, String table, String why) {

  /// Something that stands by itself.
  public static LeftOut of(String kind, String name) {
    return new LeftOut(kind, name, "", "");
  }

  /// Something of the table that is being looked at, whose name whoever asked adds.
  public static LeftOut of(String kind, String name, String why) {
    return new LeftOut(kind, name, "", why);
  }

  /// In words, such as `trigger touching of public.orders`.
  public String words() {
    String of = table.isEmpty() ? "" : " of " + table;
    return ((kind + " " + name).strip() + of + " " + why).strip();
  }

  /// The same as a part of a table.
  public LeftOut ofTable(String label) {
    return new LeftOut(kind, name, label, why);
  }
}
