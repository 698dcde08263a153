package millrace.connectors.couchdb.http;

import java.net.http.HttpHeaders;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A login by cookie, and until when it is to be used.
///
/// CouchDB takes whoever comes with an old cookie for nobody. If everybody may read the database it
/// does not even say so, but refuses design documents; so a cookie is not let grow old.
///
/// @param cookie as requests send it
/// @param endNanos when it is too old, by the clock that was given; null if nobody says
record LoginCookie(String cookie, @Nullable Long endNanos) {

  private static final Pattern COOKIE = Pattern.compile("AuthSession=[^;]+");
  private static final Pattern SECONDS =
      Pattern.compile(";\\s*Max-Age=([0-9]{1,9})(?:;|$)", Pattern.CASE_INSENSITIVE);

  /// The session that an answer begins; null if it begins none.
  ///
  /// @param nowNanos by a clock that only goes forward
  static @Nullable LoginCookie of(HttpHeaders answer, long nowNanos) {
    for (String each : answer.allValues("Set-Cookie")) {
      Matcher cookie = COOKIE.matcher(each);
      if (cookie.lookingAt()) {
        Matcher seconds = SECONDS.matcher(each);
        // A request may be long on its way: a quarter is left for that.
        return new LoginCookie(
            cookie.group(),
            seconds.find()
                ? nowNanos + TimeUnit.SECONDS.toNanos(Long.parseLong(seconds.group(1))) * 3 / 4
                : null);
      }
    }
    return null;
  }

  /// Whether another is due.
  boolean isOld(long nowNanos) {
    return endNanos != null && nowNanos - endNanos >= 0;
  }
}
