package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// URLs of JDBC drivers: what is ours in them, and what is secret.
class JdbcUrlTest {

  private static final String MARK = "s3cret";

  @Test
  void oursBeginAtTheFirstOfOurNames() {
    Endpoint end = JdbcUrl.parse("mysql://h/shop?useSSL=true&table=a.b&driver=d.jar");
    assertThat(end.location()).isEqualTo("mysql://h/shop?useSSL=true");
    assertThat(end.parameters()).isEqualTo(Map.of("table", "a.b", "driver", "d.jar"));
    assertThat(end.label()).isEqualTo("jdbc:mysql://h/shop?useSSL=true");
    assertThat(JdbcUrl.parse("h2:./shop;USER=sa").location()).isEqualTo("h2:./shop;USER=sa");
    assertThat(JdbcUrl.parse("h2:./s?query=SELECT 1 WHERE 'a?table=b' = ''").parameters())
        .isEqualTo(Map.of("query", "SELECT 1 WHERE 'a?table=b' = ''"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "h2:./shop;USER=sa;PASSWORD=s3cret?table=t | h2:./shop;USER=sa",
        "sqlserver://h;user=me;password=s3cret; | sqlserver://h;user=me",
        "db2://h:50000/db:user=me;password=s3cret; | db2://h:50000/db:user=me",
        "mysql://h/d?user=me&password=s3cret&table=t | mysql://h/d?user=me",
        "h2:./shop?table=t&password=s3cret | h2:./shop"
      })
  void aPasswordIsTakenOut(String url, String location) {
    Endpoint end = JdbcUrl.parse(url);
    assertThat(end.location()).isEqualTo(location);
    assertThat(end.secret().reveal()).isEqualTo(MARK);
    assertThat(end.toString()).doesNotContain(MARK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sqlserver://h;password=s3cret;user=me",
        "mysql://me:s3cret@h/d",
        "oracle:thin:me/s3cret@//h:1521/d",
        "sqlserver://h;trustStorePassword=s3cret",
        "x://h?accessToken=s3cret",
        "h2:./shop;PASSWORD=a;s3cret?table=t"
      })
  void whatMayHoldASecretIsRefusedWithoutAWordOfIt(String url) {
    Fault.User fault = catchThrowableOfType(Fault.User.class, () -> JdbcUrl.parse(url));
    assertThat(fault).isNotNull();
    assertThat(fault.getMessage() + fault.advice()).doesNotContain(MARK);
  }
}
