package millrace.spi.read;

import java.util.List;
import millrace.data.Form;
import millrace.spi.Counters;
import millrace.spi.Waiting;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// An endpoint open for reading. The engine calls all methods but the readers' from one thread:
/// describe, then cost as often as it likes, then splits and reader(s), allRead, then close.
public interface Source extends Waiting, AutoCloseable {

  /// Looks at the source: columns, size, how far it can be read in parallel.
  ///
  /// @throws millrace.fault.Fault.User where it is missing or can't be understood
  SourceDescription describe(ColumnRequest columnRequest);

  /// What giving rows in this form costs, the source system's own work included, in nanoseconds of
  /// CPU per byte of text; negative if it does not speak the form. After describe. Unless told
  /// otherwise it speaks columns alone.
  default double cost(Form form) {
    return form.equals(Form.COLUMNS) ? Form.USUAL_COLUMNS_COST : -1;
  }

  /// What it means, in words that are the same by whatever name it was reached: a table as its
  /// server knows it, a file by its real path, with the options that decide which rows it gives. No
  /// password. Also before describe.
  String endpointIdentity();

  /// What the source is now, in words of its own, so that it can be told later whether it is still
  /// the same; null where it can't say, see {@link #identityWhyNot}. After describe.
  default @Nullable String identity() {
    return null;
  }

  /// Why there is no identity, as a sentence without its end.
  default String identityWhyNot() {
    return "the source can't tell whether it is still the same";
  }

  /// Has its readers add up checksums of the rows of each split, whatever order they come in, so
  /// that a later run can read a split again and see whether its rows are still the same. Asked of
  /// a source without an identity, before splits. A split is then the same by its resource and
  /// range, however the source has grown since.
  ///
  /// @return false where it can't
  default boolean checksums() {
    return false;
  }

  /// How the source differs from what it was, as a sentence without its end; empty where it is
  /// shown to be the same.
  ///
  /// @param identity what {@link #identity} was
  default String changeSince(String identity) {
    return identity.equals(identity()) ? "" : "it is not what it was";
  }

  /// What it reads from, such as a table or some files, in words that are the same whatever of it
  /// is asked for and in whatever way: two sources with one of them in common may give the same
  /// rows. After describe.
  default List<String> origins() {
    return List.of();
  }

  /// These parts have been taken by an earlier run. Before splits.
  default void taken(List<Receipt> receipts) {
    // What was taken is not asked for again.
  }

  /// How bad records are laid out so that they can be mended and read as this source was. After
  /// describe.
  default RecordFile recordFile() {
    return RecordFile.PLAIN;
  }

  /// The splits, each of about that many bytes of the source where it can be cut. Called once; once
  /// more where it {@link #checksums} and a run begins from the start that could have gone on.
  ///
  /// @param lanes most lanes at once
  Splits splits(long splitBytes, int lanes);

  /// A reader for one lane, giving batches in that form. Lanes may end and others begin during the
  /// run: then several readers after each other have the same lane's number, never at once.
  Reader reader(Form form, ReadContext context);

  /// All rows have been read, and none will be asked for again: what keeps them as they are, such
  /// as a snapshot or a lock, may go, so that the target can take the place of what was read, and
  /// that others need not wait for what it does at its end.
  default void allRead() {
    // Nothing is kept.
  }

  /// What the user should know of how it went, one sentence each. Once the run has ended.
  default List<String> notes() {
    return List.of();
  }

  /// What this end counts; the caller closes it before the end itself. Null where nothing is
  /// counted.
  default @Nullable Counters counters() {
    return null;
  }

  @Override
  void close();
}
