package millrace.io.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.spi.Option;

/// How stores are reached, as parameters of a location. What is not said is taken from where the
/// stores' own tools take it: their environment variables and files.
public final class StoreOptions {

  static final String PART_SIZE = "part-size";

  /// Those that connectors of files offer.
  public static final List<Option> ALL =
      List.of(
          new Option(
              "endpoint",
              "Of a store that is not its maker's own: where it answers.",
              "http://minio:9000"),
          new Option("region", "Of a bucket, if its store has several.", "eu-central-1"),
          new Option("aws-profile", "Which of the profiles in the files of AWS.", "nightly"),
          Option.flag(
              "path-style", "The bucket stands in the path of a URL, not in front of the host."),
          Option.flag("anonymous", "Requests are not signed: the bucket is public."),
          new Option(
              PART_SIZE,
              "How long the parts are in which a file is written. Those of long files grow.",
              "64MB"));

  /// Their names.
  static final Set<String> NAMES = ALL.stream().map(Option::name).collect(Collectors.toSet());

  private StoreOptions() {}

  /// The parameters of a location without those that say how its store is reached.
  public static SortedMap<String, String> without(Map<String, String> parameters) {
    SortedMap<String, String> others = new TreeMap<>(parameters);
    others.keySet().removeAll(NAMES);
    return others;
  }
}
