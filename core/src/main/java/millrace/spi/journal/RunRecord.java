package millrace.spi.journal;

import java.io.Serializable;
import java.util.List;

/// What a journal keeps of a run, so that another process can go on with it.
///
/// @param id names the run
/// @param job a hash of all that decides what the run does, see `JobIdentity`
/// @param source what the source was, in its own words, see {@link DescribedSource#identity}, or
///   how its checksums were made, see {@link SourceIdentity#checksums}; empty if it can do neither
/// @param origins where its rows come from, see {@link SourceIdentity#origins}
/// @param splitBytes how large its splits were asked to be
/// @param lanes for how many lanes it was asked to cut them
/// @param startedAt when it began, in UTC, for messages
public record RunRecord(
    String id,
    String job,
    String source,
    List<String> origins,
    long splitBytes,
    int lanes,
    String startedAt)
    implements Serializable {

  public RunRecord {
    // Journals of earlier versions do not say.
    origins = origins == null ? List.of() : List.copyOf(origins);
  }
}
