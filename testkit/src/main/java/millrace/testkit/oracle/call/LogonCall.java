package millrace.testkit.oracle.call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.dictionary.SessionFigures;
import millrace.testkit.oracle.dictionary.SessionNumber;
import millrace.testkit.oracle.engine.Account;
import millrace.testkit.oracle.engine.OraDatabase;
import millrace.testkit.oracle.engine.OraSession;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// The two calls of a log-on: the server sends its half of a key, then the client its password.
final class LogonCall {

  private static final int WRONG_PASSWORD = 1017;

  /// As Oracle sets it if nobody does: a client may keep room for as many to be closed.
  private static final int MOST_CURSORS = 300;

  private static final Pattern TIME_ZONE = Pattern.compile("TIME_ZONE\\s*=\\s*'([^']*)'");

  private final CallContext context;
  private final long sessionId;
  private final SessionFigures figures;
  private @Nullable PasswordExchange exchange;

  LogonCall(CallContext context, long sessionId, SessionFigures figures) {
    this.context = context;
    this.sessionId = sessionId;
    this.figures = figures;
  }

  /// What a client sends in either call.
  private record Request(String user, Map<String, String> values) {
    String value(String key) {
      return values.getOrDefault(key, "");
    }
  }

  private Request read() throws IOException, BreakException {
    TtcInput in = context.in();
    boolean named = in.pointer();
    int length = in.ub();
    in.ub();
    in.pointer();
    int pairs = in.ub();
    in.skip(2);
    String name = named ? context.dialect().text(in, length) : "";
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < pairs; i++) {
      values.put(text(in.dalc()), text(in.dalc()));
      in.ub();
    }
    return new Request(folded(name), values);
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  void one() throws IOException, BreakException, OraException {
    Request request = read();
    context.fault(ServerCall.LOGON, request.user());
    Account account = context.server().database().account(request.user());
    // Who does not exist has a password that nobody knows.
    byte[] unknown = new byte[16];
    new SecureRandom().nextBytes(unknown);
    String password = account == null ? HexFormat.of().formatHex(unknown) : account.password();
    try {
      PasswordExchange begun = new PasswordExchange(password);
      exchange = begun;
      TtcOutput out = new TtcOutput().u1(TtcMessage.PARAMETERS).ub(5);
      pair(out, "AUTH_SESSKEY", begun.encryptedServerKey(), 0);
      pair(out, "AUTH_VFR_DATA", begun.salt(), PasswordExchange.VERIFIER_12C);
      pair(out, "AUTH_PBKDF2_CSK_SALT", begun.sessionSalt(), 0);
      pair(out, "AUTH_PBKDF2_VGEN_COUNT", "" + PasswordExchange.VERIFIER_ROUNDS, 0);
      pair(out, "AUTH_PBKDF2_SDER_COUNT", "" + PasswordExchange.SESSION_ROUNDS, 0);
      context.finish(out);
    } catch (GeneralSecurityException e) {
      throw new IOException("the password can't be checked", e);
    }
  }

  private static void pair(TtcOutput out, String key, String value, int flag) {
    out.dalc(key).dalc(value).ub(flag);
  }

  void two() throws IOException, BreakException, OraException {
    Request request = read();
    try {
      accept(request);
    } catch (OraException e) {
      context.log(new LogEvent.LogonRefused(sessionId, request.user(), e.code()));
      throw e;
    } catch (GeneralSecurityException | SQLException e) {
      throw new IOException("the log-on fails", e);
    }
  }

  private void accept(Request request)
      throws IOException, OraException, GeneralSecurityException, SQLException {
    Account account = context.server().database().account(request.user());
    PasswordExchange begun = exchange;
    String answer =
        account == null || begun == null
            ? null
            : begun.answer(
                request.value("AUTH_SESSKEY"), request.value("AUTH_PASSWORD"), account.password());
    if (account == null || answer == null) {
      throw new OraException(WRONG_PASSWORD, "invalid credential or not authorized; logon denied");
    }
    Account.State state = account.state();
    TtcOutput out = new TtcOutput();
    if (state == Account.State.GRACE) {
      OraException warning = new OraException(state.code(), state.text());
      byte[] text = String.valueOf(warning.getMessage()).getBytes(StandardCharsets.UTF_8);
      out.u1(TtcMessage.WARNING).ub(state.code(), text.length, 0).raw(text);
    } else if (state != Account.State.OPEN) {
      throw new OraException(state.code(), state.text());
    }
    open(request, user(request));
    out.u1(TtcMessage.PARAMETERS).ub(6);
    pair(out, "AUTH_VERSION_NO", "" + context.server().database().release().versionWord(), 0);
    pair(out, "AUTH_SVR_RESPONSE", answer, 0);
    SessionNumber number = context.session().number();
    pair(out, "AUTH_SESSION_ID", "" + number.sid(), 0);
    pair(out, "AUTH_SERIAL_NUM", "" + number.serial(), 0);
    pair(out, "AUTH_INSTANCE_NO", "" + number.instance(), 0);
    pair(out, "AUTH_MAX_OPEN_CURSORS", "" + MOST_CURSORS, 0);
    context.log(new LogEvent.LoggedOn(sessionId, request.user()));
    context.finish(out);
  }

  /// Who the session belongs to: the user who logs on, or the one as whom that one acts.
  private String user(Request request) throws OraException {
    String client = request.value("PROXY_CLIENT_NAME");
    if (client.isEmpty()) {
      return request.user();
    }
    String name = folded(client);
    OraDatabase database = context.server().database();
    if (database.account(name) == null || !database.mayProxy(name, request.user())) {
      throw new OraException(28150, "proxy not authorized to connect as client");
    }
    return name;
  }

  private static String folded(String name) {
    return name.startsWith("\"") ? name.replace("\"", "") : name.toUpperCase(Locale.ROOT);
  }

  private void open(Request request, String user) throws SQLException, OraException {
    OraSession session = context.server().database().open(sessionId, user, figures);
    session.describe(request.value("AUTH_MACHINE"), request.value("AUTH_PROGRAM_NM"));
    context.logOn(session);
    Matcher zone = TIME_ZONE.matcher(request.value("AUTH_ALTER_SESSION"));
    if (zone.find()) {
      String sql = "ALTER SESSION SET TIME_ZONE = '" + zone.group(1) + "'";
      session.execute(ParsedSql.of(sql), List.of());
    }
  }
}
