package millrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/// The command `millrace`; the launcher starts it.
@Command(
    name = "millrace",
    mixinStandardHelpOptions = true,
    versionProvider = Millrace.Version.class,
    description = "Moves bulk data between files and databases.")
public final class Millrace implements Runnable {
  public static void main(String[] args) {
    System.exit(new CommandLine(new Millrace()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  /// The version that the jar's manifest carries.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Millrace.class.getPackage().getImplementationVersion();
      return new String[] {"millrace " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
