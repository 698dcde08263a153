package millrace.spi.write;

import java.io.Serializable;
import java.util.List;
import java.util.Set;

/// How the rows of one copy get to where the user wants them. Decided by the engine for all targets
/// alike, of what a target {@linkplain Offer offers}.
///
/// What follows from it is the same everywhere:
///
/// | place, commits | readers see rows | a run that fails leaves | --resume |
/// |---|---|---|---|
/// | target, parts | as they are committed | the rows that are committed | goes on |
/// | target, whole | all at once | nothing | begins again |
/// | staged, parts | all at once | what is staged, if it is to go on | goes on |
/// | staged, whole | all at once | nothing | begins again |
///
/// @param mode what happens to what is there
/// @param place where rows go first
/// @param commits whether a part of them can be durable without the others
/// @param key of a merge, the columns that it goes by, as the target spells them; empty in other
///   modes
/// @param steps of a merge, what it does
public record Landing(Mode mode, Place place, Commits commits, List<String> key, MergeSteps steps)
    implements Serializable {

  /// One whose merge updates and inserts.
  public Landing(Mode mode, Place place, Commits commits, List<String> key) {
    this(mode, place, commits, key, MergeSteps.USUAL);
  }

  /// The same with a merge of these steps.
  public Landing doing(MergeSteps other) {
    return new Landing(mode, place, commits, key, other);
  }

  /// The same, but that what waits takes the target's place.
  public Landing swapping() {
    return new Landing(mode, Place.SWAP, commits, key, steps);
  }

  /// Where rows go first, and how they get to the target from there.
  public enum Place {
    /// Into the target itself.
    TARGET,
    /// Into another table or file, which takes the target's place or its name.
    SWAP,
    /// Into a staging table or file, from which all are added to the target at once; it is emptied
    /// in the same step if the mode says so.
    INSERT,
    /// Into a staging table, by whose rows those of the target are updated or joined.
    MERGE
  }

  /// What becomes durable at once.
  public enum Commits {
    /// All rows, by one transaction or one change of a name.
    WHOLE,
    /// Some rows after others, each part with its receipt if a journal is kept.
    PARTS
  }

  /// What a target can do.
  ///
  /// @param direct how rows can be committed in the target itself; empty if they are always staged
  /// @param staged how rows are committed if they are staged
  /// @param places how staged rows can get to the target; never {@link Place#TARGET}
  /// @param swapsLike whether what takes the target's place can be made like it, with its
  ///   definition
  /// @param choosesSteps whether a merge can leave updates or inserts out, and delete
  public record Offer(
      Set<Commits> direct,
      Commits staged,
      Set<Place> places,
      boolean swapsLike,
      boolean choosesSteps)
      implements Serializable {

    /// Rows appear as they come, and nothing else is possible.
    public static final Offer AS_THEY_COME = into(Commits.PARTS);

    public Offer {
      direct = Set.copyOf(direct);
      places = Set.copyOf(places);
    }

    /// Rows go into the target itself, unless {@link #staging} adds other ways.
    public static Offer into(Commits... commits) {
      return new Offer(Set.of(commits), Commits.PARTS, Set.of(), false, false);
    }

    /// The same, with staging.
    ///
    /// @param commits how rows are committed where they are staged
    public Offer staging(Commits commits, Place... ways) {
      return new Offer(direct, commits, Set.of(ways), swapsLike, choosesSteps);
    }

    /// The same, in which what takes the target's place can be made like it.
    public Offer swappingLike() {
      return new Offer(direct, staged, places, true, choosesSteps);
    }

    /// The same, whose merge can leave updates or inserts out, and delete.
    public Offer choosingSteps() {
      return new Offer(direct, staged, places, swapsLike, true);
    }
  }

  public Landing {
    key = List.copyOf(key);
  }

  /// Whether rows wait elsewhere for the end of the run.
  public boolean staged() {
    return place != Place.TARGET;
  }

  /// Whether staged rows are added to the target at the end, and none takes its place.
  public boolean addsStaged() {
    return place == Place.INSERT || place == Place.MERGE;
  }

  /// Whether no row is durable before all are.
  public boolean whole() {
    return commits == Commits.WHOLE;
  }

  /// Whether rows of a run that fails stay in the target.
  public boolean leavesRows() {
    return place == Place.TARGET && commits == Commits.PARTS;
  }

  /// Decides it.
  ///
  /// @param atomic whether readers are to see all rows at once
  /// @param there whether rows go into a target that stays, or whose definition does; if not, one
  ///   is made
  /// @param key of a merge
  public static Landing settle(
      Offer offer, Mode mode, boolean atomic, boolean there, List<String> key) {
    Place place = place(offer, mode, atomic, there);
    return new Landing(
        mode, place, place == Place.TARGET ? direct(offer, mode, atomic) : offer.staged, key);
  }

  /// The same in one transaction, for few rows, if the target can do that without staging them.
  public Landing wholeIf(Offer offer) {
    return place == Place.TARGET && offer.direct.contains(Commits.WHOLE)
        ? new Landing(mode, place, Commits.WHOLE, key, steps)
        : this;
  }

  private static Place place(Offer offer, Mode mode, boolean atomic, boolean there) {
    return switch (mode) {
      case MERGE -> first(offer, Place.MERGE);
      case CREATE -> first(offer, Place.SWAP);
      case REPLACE -> {
        boolean isRetained = there && !offer.swapsLike && !offer.direct.isEmpty();
        yield first(offer, isRetained ? Place.INSERT : Place.SWAP);
      }
      case APPEND, TRUNCATE -> {
        boolean stages = atomic || offer.direct.isEmpty();
        if (there) {
          yield stages ? first(offer, Place.INSERT) : Place.TARGET;
        }
        // What is made for rows that come in one transaction may as well be made beside it.
        yield stages || !offer.direct.contains(Commits.PARTS)
            ? first(offer, Place.SWAP)
            : Place.TARGET;
      }
    };
  }

  private static Place first(Offer offer, Place wanted) {
    return offer.places.contains(wanted) ? wanted : Place.TARGET;
  }

  /// Rows that must appear at once, or take the place of others, are one transaction if they can
  /// be.
  private static Commits direct(Offer offer, Mode mode, boolean atomic) {
    boolean isAtOnce = atomic || mode == Mode.CREATE || mode == Mode.REPLACE;
    Commits wanted = isAtOnce ? Commits.WHOLE : Commits.PARTS;
    return offer.direct.contains(wanted)
        ? wanted
        : wanted == Commits.WHOLE ? Commits.PARTS : Commits.WHOLE;
  }
}
