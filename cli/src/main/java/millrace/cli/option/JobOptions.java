package millrace.cli.option;

import java.util.List;
import java.util.Locale;
import millrace.copy.Increment;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of a copy that do not depend on the ends.
public final class JobOptions {

  @Mixin private SelectionOptions selection;
  @Mixin private MappingOptions mapping;

  @Option(names = "--limit", paramLabel = "N", description = "At most that many rows.")
  private @Nullable Long limit;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = CopyMode.Reader.class,
      description = {
        "What happens to rows that the target holds: create (refuse if it exists), append,"
            + " truncate (empty it first), replace (put a new one in its place), merge (update by"
            + " key, insert the rest), insert-only (leave those that are there alone).",
        "Without it, an absent target is made, an empty one is filled, and any other is refused."
      })
  private @Nullable CopyMode modeRequested;

  @Option(
      names = "--atomic",
      description = "Also append and truncate stage the rows, so that all appear at once.")
  private boolean atomic;

  @Option(
      names = "--key",
      paramLabel = "A,B",
      description = "What a merge goes by; the target's primary key if not given.")
  private List<String> key = List.of();

  @Option(names = "--by-position", description = "Pair columns up by position, not by name.")
  private boolean byPosition;

  @Option(
      names = "--types",
      paramLabel = "WHOSE",
      description =
          "Whose types a table has after --mode replace: source or target. Without it, the old"
              + " table's stay, except for columns whose types the source declares.")
  private @Nullable String types;

  @Option(names = "--ordered", description = "Rows arrive in the order of the source; one lane.")
  private boolean ordered;

  @Option(
      names = "--lanes",
      paramLabel = "N",
      description = "How many lanes read and write side by side; if not given, tried out.")
  private @Nullable Integer lanes;

  @Option(
      names = "--read-unit",
      paramLabel = "N",
      description = "How much to read at a time: rows such as 2000, or bytes such as 16MB.")
  private @Nullable String readUnit;

  @Option(
      names = "--write-unit",
      paramLabel = "N",
      description = "How much to write at a time: rows or bytes.")
  private @Nullable String writeUnit;

  @Option(
      names = "--commit-unit",
      paramLabel = "N",
      description = "How much to commit at a time: rows or bytes.")
  private @Nullable String commitUnit;

  @Option(
      names = "--max-rejects",
      paramLabel = "N",
      description =
          "Set so many bad records, or such a part of all (0.1%%), aside and go on; without it, the"
              + " first one stops the run.")
  private @Nullable String maxRejects;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Where bad records go: those of text files byte for byte, rows of tables as CSV, or as"
              + " JSON Lines if FILE ends in .jsonl; FILE.reasons.jsonl says what is wrong with"
              + " each.")
  private @Nullable String rejects;

  @Option(
      names = "--truncate-nanoseconds",
      description =
          "Cut times with nanoseconds to microseconds if the target's type ends there; without it,"
              + " such a value is a bad record.")
  private boolean truncateNanoseconds;

  @Mixin private IncrementalOptions incremental;

  /// Which rows an incremental copy reads; null if it is none.
  ///
  /// @throws Fault.User if options contradict each other
  @Nullable Increment increment() {
    return incremental.increment(mode());
  }

  /// The job between two ends.
  ///
  /// @throws Fault.User if options contradict each other or make no sense
  Job job(Endpoint from, Endpoint to) {
    return new Job(
        from,
        to,
        selection.selection(limit()),
        new WriteOptions(mode(), atomic, key(), byPosition, types(), steps()),
        new Job.Tuning(
            lanes(lanes),
            ordered,
            amount("--read-unit", readUnit),
            amount("--write-unit", writeUnit),
            amount("--commit-unit", commitUnit)),
        rejectPolicy().cuttingNanoseconds(truncateNanoseconds),
        mapping.mapping());
  }

  private long limit() {
    if (limit == null) {
      return Long.MAX_VALUE;
    }
    if (limit < 0) {
      throw new Fault.User("--limit " + limit + " is below 0.", "Write how many rows you want.");
    }
    return limit;
  }

  /// How many lanes, or 0 if the user leaves it to us.
  ///
  /// @throws Fault.User if there is less than one
  public static int lanes(@Nullable Integer lanes) {
    if (lanes == null) {
      return 0;
    }
    if (lanes < 1) {
      throw new Fault.User(
          "--lanes " + lanes + " is below 1.", "Leave --lanes out to have it chosen.");
    }
    return lanes;
  }

  private @Nullable Mode mode() {
    return modeRequested == null ? null : modeRequested.mode();
  }

  /// What a merge does.
  ///
  /// @throws Fault.User if rows would be deleted although nobody knows whether they are gone
  private MergeSteps steps() {
    MergeSteps requested = modeRequested == null ? MergeSteps.USUAL : modeRequested.steps();
    if (!incremental.deletes()) {
      return requested;
    }
    if (mode() != Mode.MERGE) {
      throw new Fault.User(
          "--deletes deletes rows whose key is gone, and that takes a merge.", "Add --mode merge.");
    }
    if (limit != null
        || maxRejects != null
        || selection.selection(Long.MAX_VALUE).where() != null) {
      throw new Fault.User(
          "--deletes would delete rows that --where, --limit or --max-rejects leave out.",
          "Leave them out: all keys of the source have to be read.");
    }
    return requested.deleting();
  }

  private List<String> key() {
    if (!key.isEmpty() && mode() != Mode.MERGE) {
      throw new Fault.User(
          "--key is what a merge goes by, and this is none.",
          "Add --mode merge, or leave --key out.");
    }
    return names("--key", String.join(",", key));
  }

  private WriteOptions.@Nullable Types types() {
    if (types == null) {
      return null;
    }
    if (mode() != Mode.REPLACE) {
      throw new Fault.User(
          "--types is for a table that takes another's place, and this is none.",
          "Add --mode replace, or leave --types out.");
    }
    return switch (types.toLowerCase(Locale.ROOT)) {
      case "source" -> WriteOptions.Types.SOURCE;
      case "target" -> WriteOptions.Types.TARGET;
      default ->
          throw new Fault.User(
              "--types " + types + " is neither source nor target.",
              "source takes the source's types, target keeps those of the old table.");
    };
  }

  private Job.RejectPolicy rejectPolicy() {
    Job.RejectPolicy policy =
        maxRejects == null
            ? Job.RejectPolicy.NONE
            : new Job.RejectPolicy(rejectLimit(maxRejects.strip()), rejects, false);
    if (!policy.allowsAny() && rejects != null) {
      throw new Fault.User(
          "--rejects is where bad records go, and none may be set aside.", "Add --max-rejects N.");
    }
    if (policy.allowsAny() && rejects == null) {
      throw new Fault.User(
          "--max-rejects sets bad records aside, and nothing says where.", "Add --rejects FILE.");
    }
    return policy;
  }

  private static Job.RejectLimit rejectLimit(String text) {
    try {
      if (!text.endsWith("%")) {
        long count = Long.parseLong(text);
        if (count >= 0) {
          return new Job.RejectLimit.Count(count);
        }
      } else {
        double percent = Double.parseDouble(text.substring(0, text.length() - 1));
        if (percent > 0 && percent <= 100) {
          return new Job.RejectLimit.Percent(percent, text);
        }
      }
    } catch (NumberFormatException _) {
      throw badLimit(text);
    }
    throw badLimit(text);
  }

  private static Fault.User badLimit(String text) {
    return new Fault.User(
        "--max-rejects " + text + " is neither a number of records nor a percentage of them.",
        "Write 0 or more, such as 100, or more than 0% and at most 100%, such as 0.1%.");
  }

  private static @Nullable Amount amount(String name, @Nullable String text) {
    return text == null ? null : Amount.parse(name, text);
  }

  public static List<String> names(String option, String text) {
    return text.isEmpty() ? List.of() : NameList.parse(option, text);
  }
}
