package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.StreamFeed;
import millrace.fault.Fault;
import millrace.io.FileFormat;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// Which files text is written to: who forgets the scheme of a database's URL names its file, and
/// must not get text in its place.
public final class TextNames {

  /// What becomes of JSON, {@link FileOptions} says.
  private static final List<String> ENDINGS =
      List.of("csv", "tsv", "tab", "txt", "dat", "jsonl", "ndjson", "json");

  /// With a letter in it: `orders.2026` has no ending.
  private static final Pattern ENDING = Pattern.compile("\\.(\\d*[A-Za-z_]\\w*)$");

  private TextNames() {}

  /// Refuses a name that promises something else than text. The parameter `format` makes any name
  /// that of a text file, but for those of compressed files that are not written.
  ///
  /// @throws Fault.User if it does, with the name or URL that was probably meant
  public static void check(Endpoint endpoint) {
    String name = endpoint.location();
    Compression compression = Compression.ofName(name);
    String plain = Compression.plainName(name);
    if (!compression.isWritten()) {
      throw new Fault.User(
          name + " can't be written: " + compression.ending() + " files are only read.",
          "Compressed files are written as .gz and .zst: " + plain + ".gz, " + plain + ".zst.");
    }
    Matcher matcher = ENDING.matcher(plain);
    if (endpoint.text("format").isPresent() || !matcher.find()) {
      return;
    }
    String ending = matcher.group(1);
    if (ENDINGS.contains(ending.toLowerCase(Locale.ROOT))) {
      return;
    }
    FileFormat promised = FileFormat.ofName(plain);
    throw promised == null
        ? new Fault.User(
            name + " ends in ." + ending + ", which is no ending of a text file.",
            "Name it " + plain + ".csv, or say --format csv to have text under that name.")
        : new Fault.User(
            name + " is " + promised.what() + " by its name, but a path alone means text.",
            promised.adviceToWrite(name));
  }

  /// Refuses to replace a file that holds another known format, or to add to it: compressed as the
  /// name says, it is looked into.
  ///
  /// @throws Fault.User if it does
  public static void checkContent(Path file, Compression compression) {
    FileFormat.checkOverwritten(file, compression.format());
    if (compression != Compression.NONE && FileFormat.of(file) == compression.format()) {
      FileFormat inside = inside(file, compression);
      if (inside != null) {
        throw FileFormat.overwriting(file, inside);
      }
    }
  }

  private static @Nullable FileFormat inside(Path file, Compression compression) {
    byte[] first = new byte[FileFormat.FIRST_BYTES];
    try (ByteFeed byteFeed = new StreamFeed(file.toString(), Inputs.open(file), compression)) {
      return FileFormat.of(first, byteFeed.fill(first, 0, first.length));
    } catch (Fault.External _) {
      // It is damaged, which is a reason to replace it; who adds to it is told.
      return null;
    }
  }
}
