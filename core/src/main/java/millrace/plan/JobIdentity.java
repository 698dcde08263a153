package millrace.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.io.Digest;
import millrace.spi.Connector;
import millrace.spi.read.KeyWindow;
import millrace.spi.read.Selection;
import millrace.spi.read.SourceIdentity;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.WriteOptions;
import millrace.text.NameList;

/// Tells whether two command lines ask for the same rows to land in the same way, by whatever name
/// the source is reached, with whatever lanes, units and limits on bad records. Whether they are to
/// land in the same place is for the target's journal to tell, which is kept there and knows the
/// table by all of its names.
public final class JobIdentity {

  private JobIdentity() {}

  /// A hash (SHA-256, cut short) of the source without its secrets, the selection and the landing.
  public static String of(Job job, SourceIdentity from, Connector to) {
    Selection selection = job.selection();
    WriteOptions writeOptions = job.writeOptions();
    List<String> parts = new ArrayList<>();
    parts.addAll(
        List.of(
            from.endpoint(),
            to.writeOptionsKey(job.to()),
            NameList.spelled(selection.columns(), ","),
            selection.where() + updateKey(selection),
            Long.toString(selection.limit()),
            String.valueOf(writeOptions.mode()),
            Boolean.toString(writeOptions.atomic()),
            NameList.spelled(writeOptions.key(), ","),
            Boolean.toString(writeOptions.byPosition()),
            writeOptions.types() + steps(writeOptions)));
    // Journals of earlier versions know no mapping.
    if (!job.mapping().identity().isEmpty()) {
      parts.add(job.mapping().identity());
    }
    Digest digest = new Digest();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.add((bytes.length + ":").getBytes(StandardCharsets.US_ASCII)).add(bytes);
    }
    return digest.hex();
  }

  private static String steps(WriteOptions options) {
    return options.steps().equals(MergeSteps.USUAL) ? "" : " " + options.steps().words();
  }

  /// Runs of an incremental copy differ in their bounds, and are the same copy.
  private static String updateKey(Selection selection) {
    KeyWindow window = selection.window();
    return window == null ? "" : "\nfrom the last " + window.column();
  }
}
