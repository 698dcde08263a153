package millrace.spi.write;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// What a target is, found out before the plan is made. Made by name: {@link #of}, and then what is
/// special about it.
///
/// @param label how to name it in plans, reports and errors
/// @param contents what is there
/// @param modes what can be done with it, and what can't
/// @param forms those it speaks besides columns; the planner asks {@link PlannedTarget#cost} for
///   more
/// @param lanes how many can write at once
/// @param storage how it keeps rows
/// @param noJournal why no journal is kept though one could be expected; null if one is kept, or
///   the system has none
public record TargetDescription(
    String label,
    Contents contents,
    Modes modes,
    List<Form> forms,
    LaneLimit lanes,
    Storage storage,
    @Nullable NoJournal noJournal)
    implements Serializable {

  /// What is there.
  public enum State {
    /// Nothing yet.
    ABSENT,
    /// It exists, see {@link DescribedTarget#holdsRows}.
    THERE,
    /// It is a view.
    VIEW,
    /// It takes rows and shows none: a stream, a device.
    STREAM
  }

  /// What is there.
  ///
  /// @param name what it is called in errors that speak of it
  /// @param columns those that it has, if it exists and has types of its own
  /// @param key names of its primary key's columns, or of those that it gets whatever comes; empty
  ///   if there is none
  public record Contents(State state, String name, List<TargetColumn> columns, List<String> key)
      implements Serializable {

    public Contents {
      key = List.copyOf(key);
      columns = List.copyOf(columns);
    }
  }

  /// What can be done with it, and what can't.
  ///
  /// @param refused modes that it does not have, and why
  /// @param atomic why rows can't appear all at once; null if they can
  /// @param offer how rows can get there
  public record Modes(Map<Mode, Refusal> refused, @Nullable Refusal atomic, Landing.Offer offer)
      implements Serializable {

    /// It has every mode, and rows appear as they come.
    public static final Modes ALL = new Modes(Map.of(), null, Landing.Offer.AS_THEY_COME);

    public Modes {
      refused = Map.copyOf(refused);
    }
  }

  /// Why something can't be done.
  ///
  /// @param why as a sentence without its end
  /// @param advice what to do instead
  public record Refusal(String why, String advice) implements Serializable {}

  /// How it keeps rows.
  ///
  /// @param keepsTypes whether it keeps types (a database) rather than text (a CSV file)
  /// @param caseSensitiveNames whether names that differ in case alone are two names
  /// @param singleOutput whether splits come together in their order in one output, so that those
  ///   of all lanes but one wait in memory for their turn
  /// @param writeMethod in which of its ways it is handed rows, such as `direct`, for what is found
  ///   best in one is not in another; empty if it has one
  /// @param nameBytesMax how long the name of a column may be, in UTF-8
  public record Storage(
      boolean keepsTypes,
      boolean caseSensitiveNames,
      boolean singleOutput,
      String writeMethod,
      int nameBytesMax)
      implements Serializable {}

  /// Why a target keeps no journal.
  ///
  /// @param why as a sentence without its end
  /// @param closed whether one is there and only this user can't use it, so that nobody can tell
  ///   whether the same copy was begun
  public record NoJournal(String why, boolean closed) implements Serializable {}

  public TargetDescription {
    forms = List.copyOf(forms);
  }

  /// A target that keeps types, takes columns alone, has every mode, and has room for any number of
  /// lanes.
  public static TargetDescription of(String label, State state) {
    return new TargetDescription(
        label,
        new Contents(state, label, List.of(), List.of()),
        Modes.ALL,
        List.of(),
        LaneLimit.NONE,
        new Storage(true, true, false, "", Integer.MAX_VALUE),
        null);
  }

  /// The same, with that in it.
  ///
  /// @param name see {@link Contents}, as for the others
  public TargetDescription with(String name, List<TargetColumn> columns, List<String> key) {
    Contents other = new Contents(contents.state, name, columns, key);
    return new TargetDescription(label, other, modes, forms, lanes, storage, noJournal);
  }

  /// The same, without a mode.
  ///
  /// @param why as a sentence without its end
  /// @param advice what to do instead
  public TargetDescription refusing(Mode mode, String why, String advice) {
    Map<Mode, Refusal> refused = new EnumMap<>(Mode.class);
    refused.putAll(modes.refused);
    refused.put(mode, new Refusal(why, advice));
    Modes fewer = new Modes(refused, modes.atomic, modes.offer);
    return new TargetDescription(label, contents, fewer, forms, lanes, storage, noJournal);
  }

  /// The same, in which rows can't appear all at once.
  ///
  /// @param why as a sentence without its end
  /// @param advice what to do instead
  public TargetDescription refusingAtomic(String why, String advice) {
    Modes fewer = new Modes(modes.refused, new Refusal(why, advice), modes.offer);
    return new TargetDescription(label, contents, fewer, forms, lanes, storage, noJournal);
  }

  /// The same, in which rows can get there in those ways.
  public TargetDescription landing(Landing.Offer offer) {
    Modes others = new Modes(modes.refused, modes.atomic, offer);
    return new TargetDescription(label, contents, others, forms, lanes, storage, noJournal);
  }

  /// The same, for so many lanes at once.
  public TargetDescription withLanes(LaneLimit limit) {
    return new TargetDescription(label, contents, modes, forms, limit, storage, noJournal);
  }

  /// The same, taking these forms besides columns.
  public TargetDescription withForms(List<Form> others) {
    return new TargetDescription(label, contents, modes, others, lanes, storage, noJournal);
  }

  /// The same, keeping rows like that.
  ///
  /// @param keepsTypes see {@link Storage}, as for the others
  public TargetDescription keeping(boolean keepsTypes, boolean singleOutput, String writeMethod) {
    boolean tellsCase = storage.caseSensitiveNames;
    return with(
        new Storage(keepsTypes, tellsCase, singleOutput, writeMethod, storage.nameBytesMax));
  }

  /// The same, with names of columns like those.
  ///
  /// @param caseSensitive see {@link Storage}, as for the others
  public TargetDescription naming(boolean caseSensitive, int bytesMax) {
    Storage as = storage;
    return with(
        new Storage(as.keepsTypes, caseSensitive, as.singleOutput, as.writeMethod, bytesMax));
  }

  private TargetDescription with(Storage other) {
    return new TargetDescription(label, contents, modes, forms, lanes, other, noJournal);
  }

  /// The same, keeping no journal for that reason.
  public TargetDescription withoutJournal(@Nullable NoJournal reason) {
    return new TargetDescription(label, contents, modes, forms, lanes, storage, reason);
  }

  /// What is there.
  public State state() {
    return contents.state;
  }

  /// The columns that it has, if it exists and has types of its own.
  public List<TargetColumn> columns() {
    return contents.columns;
  }

  /// The columns that can be written and whose types matter; null if there are none, or another
  /// target takes the place of this one and its types with it.
  public @Nullable Schema existing(WriteOptions options) {
    boolean goes =
        options.mode() == Mode.CREATE
            || (options.mode() == Mode.REPLACE && !options.mayKeepTypes());
    List<TargetColumn> writable = columns().stream().filter(TargetColumn::isWritable).toList();
    return goes || writable.isEmpty()
        ? null
        : Schema.of(writable.stream().map(TargetColumn::column).toList());
  }
}
