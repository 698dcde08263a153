package millrace.engine.remote;

import java.util.List;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.SourceDescription;
import millrace.text.NameList;

/// Sees whether a process opens the same as the one that has begun the run: a path may lead to
/// another file on another machine, or to none.
///
/// @param where the process is, as a sentence about it begins: "Executor 1 on node7"
record SameEnds(String where) {

  /// Of each file some blocks are read; if there are many, that is more than the process copies.
  private static final int FILES_MAX = 32;

  private static final int NAMES_MAX = 8;

  private static final String ADVICE =
      "Both ends have to be the same from every machine: put files on storage that all share, such"
          + " as NFS, under one path, or copy on one machine, without --on.";

  /// Looks at the source.
  ///
  /// @throws Fault.User if it is another
  static void check(RemoteRun run, DescribedSource there) {
    SourceDescription here = run.plan().source();
    String other = otherFiles(here, run.run().source(), there);
    if (other.isEmpty()) {
      other = otherColumns(here.label(), here.schema(), there.description().schema());
    }
    if (!other.isEmpty()) {
      throw new Fault.User(other + ".", "");
    }
  }

  /// @param identity of the source as it was when the run began; of files it says so
  private static String otherFiles(SourceDescription here, String identity, DescribedSource there) {
    int files = FileIdentity.count(identity);
    if (files > 0 && files <= FILES_MAX) {
      return FileIdentity.otherOn(
          here.label(), identity, String.valueOf(there.identity().content()));
    }
    long bytes = there.description().size().bytes();
    return files == 0 || bytes == here.size().bytes()
        ? ""
        : here.label() + " has " + bytes + " bytes there, and " + here.size().bytes() + " here";
  }

  private static String otherColumns(String label, Schema here, Schema there) {
    List<String> ours = columns(here);
    List<String> theirs = columns(there);
    if (ours.equals(theirs)) {
      return "";
    }
    return label
        + " has other columns there"
        + (here.names().equals(there.names())
            ? ", by their types"
            : ": " + NameList.first(there.names(), NAMES_MAX));
  }

  private static List<String> columns(Schema schema) {
    return schema.columns().stream().map(each -> each.name() + " " + each.type()).toList();
  }

  /// What went wrong there when an end was opened.
  Fault told(Fault fault) {
    String advice =
        switch (fault) {
          case Fault.User _ -> ADVICE;
          case Fault.External _ -> (fault.advice() + " " + ADVICE).strip();
          default -> fault.advice();
        };
    return fault.inOtherWords(where + ": " + fault.getMessage(), advice);
  }
}
