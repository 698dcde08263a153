package millrace.connectors.postgres.net;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.Nearest;

/// What kind of server a connection must lead to: libpq's `target_session_attrs`. There is only one
/// server to choose from, so that those that prefer one kind take any.
enum SessionAttributes {
  ANY,
  READ_WRITE,
  READ_ONLY,
  PRIMARY,
  STANDBY,
  PREFER_STANDBY;

  /// @param text as libpq spells it; empty for any
  /// @throws Fault.User if it is none
  static SessionAttributes of(String text) {
    if (text.isEmpty()) {
      return ANY;
    }
    List<String> names = Stream.of(values()).map(SessionAttributes::spelled).toList();
    return Stream.of(values())
        .filter(each -> each.spelled().equals(text))
        .findFirst()
        .orElseThrow(() ->
            new Fault.User(
                "There is no target_session_attrs=" + text.replaceAll("\\p{Cntrl}", "?") + ".",
                (Nearest.hint(text, names) + " It is one of " + String.join(", ", names) + ".")
                    .strip()));
  }

  private String spelled() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// @throws Fault.User if the session is not of that kind
  void check(Session session, Address address) {
    boolean isRight =
        switch (this) {
          case ANY, PREFER_STANDBY -> true;
          case READ_WRITE -> !is(session, "current_setting('transaction_read_only') = 'on'");
          case READ_ONLY -> is(session, "current_setting('transaction_read_only') = 'on'");
          case PRIMARY -> !is(session, "pg_is_in_recovery()");
          case STANDBY -> is(session, "pg_is_in_recovery()");
        };
    if (!isRight) {
      throw new Fault.User(
          address.server() + " is not what target_session_attrs=" + spelled() + " asks for.",
          "Name the server that is, or leave target_session_attrs (PGTARGETSESSIONATTRS) out.");
    }
  }

  private static boolean is(Session session, String condition) {
    return session.one("SELECT pg_catalog." + condition, row -> row.getBoolean(1));
  }
}
