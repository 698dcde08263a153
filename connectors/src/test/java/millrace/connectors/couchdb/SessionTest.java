package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A cookie is used for as long as the server says that it is good, and no longer.
class SessionTest {

  private static final long SECOND = 1_000_000_000L;

  private static @Nullable Session session(String... cookies) {
    HttpHeaders answer = HttpHeaders.of(Map.of("Set-Cookie", List.of(cookies)), (_, _) -> true);
    return Session.of(answer, 5 * SECOND);
  }

  @Test
  void aCookieIsOldBeforeItsTimeIsOver() {
    Session session = session("AuthSession=a-b_c; Version=1; Max-Age=100; Path=/; HttpOnly");
    assertThat(session).isNotNull();
    assertThat(session.cookie()).isEqualTo("AuthSession=a-b_c");
    assertThat(session.isOld(79 * SECOND)).isFalse();
    assertThat(session.isOld(80 * SECOND)).isTrue();
  }

  @Test
  void aCookieOfWhichNobodySaysMoreStays() {
    Session session = session("other=1; Max-Age=1", "AuthSession=x; Path=/");
    assertThat(session).isNotNull();
    assertThat(session.isOld(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void anAnswerWithoutACookieBeginsNoSession() {
    assertThat(session("AuthSession=; Max-Age=100", "other=1")).isNull();
  }
}
