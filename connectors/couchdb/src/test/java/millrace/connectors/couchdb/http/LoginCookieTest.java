package millrace.connectors.couchdb.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A cookie is used for as long as the server says that it is good, and no longer.
class LoginCookieTest {

  private static final long SECOND = 1_000_000_000L;

  private static @Nullable LoginCookie session(String... cookies) {
    HttpHeaders answer = HttpHeaders.of(Map.of("Set-Cookie", List.of(cookies)), (_, _) -> true);
    return LoginCookie.of(answer, 5 * SECOND);
  }

  @Test
  void aCookieIsOldBeforeItsTimeIsOver() {
    LoginCookie loginCookie =
        session("AuthSession=a-b_c; Version=1; Max-Age=100; Path=/; HttpOnly");
    assertThat(loginCookie).isNotNull();
    assertThat(loginCookie.cookie()).isEqualTo("AuthSession=a-b_c");
    assertThat(loginCookie.isOld(79 * SECOND)).isFalse();
    assertThat(loginCookie.isOld(80 * SECOND)).isTrue();
  }

  @Test
  void aCookieOfWhichNobodySaysMoreStays() {
    LoginCookie loginCookie = session("other=1; Max-Age=1", "AuthSession=x; Path=/");
    assertThat(loginCookie).isNotNull();
    assertThat(loginCookie.isOld(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void anAnswerWithoutACookieBeginsNoSession() {
    assertThat(session("AuthSession=; Max-Age=100", "other=1")).isNull();
  }
}
