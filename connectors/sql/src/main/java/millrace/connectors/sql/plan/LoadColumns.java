package millrace.connectors.sql.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.TargetColumn;

/// Which incoming column goes where, and what it becomes.
///
/// @param schema the incoming columns under the names and types that writers get
/// @param slots where each goes, in the same order
/// @param notes what the user should know of single columns
/// @param comments on the columns and the table that is made, by the names that they get
public record LoadColumns(
    Schema schema, List<Slot> slots, List<String> notes, TableComments comments) {

  /// What columns are settled for.
  ///
  /// @param label the table, for errors
  /// @param key names of columns that must have values
  /// @param comments on the incoming columns and their table
  public record Request(
      Dialect dialect, String label, Schema incoming, List<String> key, TableComments comments) {

    private boolean isKey(String name) {
      return key.stream().anyMatch(name::equalsIgnoreCase);
    }

    /// The name of a new column.
    ///
    /// @throws Fault.User if the database has no room for it
    private String fresh(String name) {
      Names names = dialect.names();
      if (!names.fits(name)) {
        throw new Fault.User(
            "The name of column \"%s\" is too long: the database has room for %d bytes."
                .formatted(name, names.bytesMax()),
            "--fit-names cuts such names, and --rename gives a column another one.");
      }
      String lacked = names.lackedOf(name);
      if (!lacked.isEmpty()) {
        throw new Fault.User(
            "The name of column \"%s\" has a %s, and names of this database have none."
                .formatted(name, lacked),
            "Give it another name by --rename.");
      }
      return names.fresh(name);
    }

    /// What the user should know of what a new column becomes; empty if there is nothing.
    private String note(Column incoming, String declared) {
      TypeTable types = dialect.types();
      boolean isDeclared = incoming.declaredIn(types.system()) != null;
      boolean isNumber =
          incoming.type() instanceof Type.Decimal && types.type(declared) instanceof Type.Text;
      boolean isPreserved =
          isDeclared || (incoming.type().nested() != null && types.type(declared).nested() != null);
      if (isPreserved || !(isNumber || incoming.type() instanceof Type.Opaque)) {
        return "";
      }
      return "\"%s\" (%s) becomes %s: %s. To have another type, make the table first."
          .formatted(
              incoming.name(),
              incoming.declaration(),
              declared,
              isNumber
                  ? "no number of this database has room for all of its digits, and text keeps them"
                  : "its values cross as text");
    }

    private Slot slot(Column column, ColumnInfo target, boolean required) {
      Type type = dialect.writes().accepted(label, column, target);
      return new Slot(target.name(), type, target.declared(), target.typedAs(), required);
    }
  }

  /// A new table with the incoming columns.
  public static LoadColumns fresh(Request request) {
    TypeTable types = request.dialect.types();
    List<Slot> slots = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Column column : request.incoming.columns()) {
      String usual = types.declaration(column);
      String declared =
          request.isKey(column.name())
              ? request.dialect.writes().keyed(usual, request.key.size())
              : usual;
      if (declared.isEmpty()) {
        throw new Fault.User(
            "This database has no type for column \"%s\", which is %s."
                .formatted(column.name(), column.type().label()),
            "Convert it in a query, or leave it out with --select.");
      }
      String name = request.fresh(column.name());
      boolean required = !column.nullable() || request.isKey(column.name());
      ColumnInfo target = new ColumnInfo(name, declared, declared, !required, false, false);
      Slot slot = request.slot(column, target, required);
      columns.add(new Column(name, slot.type(), column.nullable(), column.declared()));
      slots.add(slot);
      String note = request.note(column, declared);
      if (!note.isEmpty()) {
        notes.add(note);
      }
    }
    List<String> key = request.incoming.key().stream().map(request::fresh).toList();
    CommentStyle comments = request.dialect.writes().commentStyle();
    Map<String, String> named = new HashMap<>();
    request.incoming.names().forEach(name -> named.put(request.fresh(name), name));
    TableComments wanted = request.comments.renamed(named);
    String changed = comments.changed(wanted);
    if (!changed.isEmpty()) {
      notes.add(changed);
    }
    return new LoadColumns(new Schema(columns, key), slots, notes, comments.fitting(wanted));
  }

  /// A table that exists.
  ///
  /// @param partners of each incoming column, the one that it goes into
  /// @param notes what becomes of the table's other columns
  public static LoadColumns existing(
      Request request, TableInfo table, List<TargetColumn> partners, List<String> notes) {
    List<Column> columns = new ArrayList<>();
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < request.incoming.width(); i++) {
      Column column = request.incoming.column(i);
      ColumnInfo target = table.column(partners.get(i).name());
      String refused = request.dialect.catalog().refuses(target);
      if (!refused.isEmpty()) {
        throw new Fault.User(
            "Column \"%s\" of the table can't be written: it %s.".formatted(target.name(), refused),
            "Leave it out with --select.");
      }
      // An update does not fill what an insert fills, so a merge takes no nulls.
      boolean isFilled = target.filled() == TableInfo.Filled.IF_NULL && request.key.isEmpty();
      boolean required = !(target.nullable() || isFilled) || request.isKey(target.name());
      Slot slot = request.slot(column, target, required);
      columns.add(new Column(target.name(), slot.type(), column.nullable(), column.declared()));
      slots.add(slot);
    }
    return new LoadColumns(
        new Schema(columns, request.incoming.key()), slots, notes, TableComments.NONE);
  }

  /// Names of the target's columns, in the order of the batches.
  public List<String> names() {
    return slots.stream().map(Slot::name).toList();
  }

  /// The declarations of the columns.
  ///
  /// @param constrained whether a missing value is refused by the database too
  /// @param comments how they stand in the declarations
  public List<String> declarations(Names names, boolean constrained, CommentStyle comments) {
    return slots.stream()
        .map(slot ->
            (names.quoted(slot.name()) + " " + slot.declared()).strip()
                + (constrained && slot.required() ? " NOT NULL" : "")
                + comments.inColumn(this.comments.of(slot.name())))
        .toList();
  }
}
