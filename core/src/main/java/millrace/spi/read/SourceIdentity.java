package millrace.spi.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a source is, so that a later run can tell whether it reads the same.
///
/// @param endpoint what it means, in words that are the same by whatever name it was reached: a
///   table as its server knows it, a file by its real path, with the options that decide which rows
///   it gives. No password
/// @param content what it holds now, in words of its own, see {@link DescribedSource#changeSince};
///   null if it can't say
/// @param whyNot why it can't, as a sentence without its end
/// @param checksums whether its readers can add up the rows of each split, so that a later run can
///   read a split again and see whether they are still the same. A split is then the same by its
///   resource and range, however the source has grown since
/// @param origins what it reads from, such as a table or some files, in words that are the same
///   whatever of it is asked for and in whatever way: two sources with one of them in common may
///   give the same rows
public record SourceIdentity(
    String endpoint,
    @Nullable String content,
    String whyNot,
    boolean checksums,
    List<String> origins) {

  public SourceIdentity {
    origins = List.copyOf(origins);
  }

  /// Of a source that can tell what it holds.
  public static SourceIdentity of(String endpoint, String content, List<String> origins) {
    return new SourceIdentity(endpoint, content, "", false, origins);
  }

  /// Of one that can't tell whether it is still the same.
  ///
  /// @param whyNot see {@link SourceIdentity}
  public static SourceIdentity unknown(String endpoint, String whyNot, List<String> origins) {
    return new SourceIdentity(endpoint, null, whyNot, false, origins);
  }

  /// Of one whose rows have to be read again to tell that.
  public static SourceIdentity byChecksums(String endpoint, List<String> origins) {
    return new SourceIdentity(
        endpoint, null, "the source can't tell whether it is still the same", true, origins);
  }
}
