package millrace.cli;

import millrace.fault.Fault;

/// What the process says to the one that started it, by who can do something about it. `millrace
/// --help` and docs/failures.md list them.
public enum ExitCode {
  OK(0, "All is done, and nothing is wrong."),
  DIFFERENT(
      1,
      "verify: the two sides differ. online: the target is too slow. oracle-check: a part failed."),
  USER(
      2, "The request can't be carried out: an option, a missing file or table, a wrong password."),
  DATA(3, "A record is bad, and no more may be set aside."),
  EXTERNAL(4, "The world outside refused: a full disk, a missing permission."),
  TRANSIENT(5, "It may work when tried again later: a lost connection, a silent or busy server."),
  PARTLY(6, "Of many tables, some are done and others failed."),
  BUG(70, "Millrace itself is wrong."),
  STOPPED(130, "Stopped by Ctrl-C (143: by SIGTERM)."),
  PIPE(141, "Whoever read standard output has closed it.");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }

  public static ExitCode of(Fault fault) {
    return switch (fault) {
      case Fault.User _ -> USER;
      case Fault.Data _ -> DATA;
      case Fault.Transient _ -> TRANSIENT;
      case Fault.External _ -> EXTERNAL;
      case Fault.Cancelled _ -> STOPPED;
      case Fault.Bug _ -> BUG;
    };
  }
}
