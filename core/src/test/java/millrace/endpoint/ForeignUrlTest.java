package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import millrace.fault.Fault;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ForeignUrlTest {

  private static final String MARK = "unguessable";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "host=h port=5433 dbname=shop user=me password=s3cret |"
            + " postgresql://me@h:5433/shop?table=TABLE",
        "password='a b' host = 'h' user=me | postgresql://me@h/me?table=TABLE",
        "host=/var/run/pg dbname='my shop' sslmode=require |"
            + " postgresql://%2Fvar%2Frun%2Fpg/my%20shop?table=TABLE&sslmode=require",
        "service=prod options='-c role=me' hostaddr=127.0.0.1 |"
            + " postgresql:///?table=TABLE&service=prod&hostaddr=127.0.0.1"
            + "&options=-c%20role=me",
        "jdbc:postgresql://h:5433/shop?user=me&password=s3cret&ssl=true |"
            + " postgresql://me@h:5433/shop?table=TABLE",
        "jdbc:duckdb:dir/shop.db | duckdb:dir/shop.db?table=TABLE",
        "scott/tiger@//db.example:1521/ORCLPDB1 |"
            + " oracle://scott@db.example:1521/ORCLPDB1?table=TABLE",
        "scott/tiger@//db/shop.example | oracle://scott@db/shop.example?table=TABLE",
        "scott/t@ger@db:1521/shop | oracle://scott@db:1521/shop?table=TABLE",
        "jdbc:oracle:thin:@//db.example:1521/ORCLPDB1 |"
            + " oracle://user@db.example:1521/ORCLPDB1?table=TABLE",
        "jdbc:oracle:thin:scott/t/g@r@db:1521:ORCL | oracle://scott@db:1521/ORCL?table=TABLE",
        "jdbc:oracle:thin:scott/tiger@tcps://db:2484/shop?ssl_server_dn_match=yes |"
            + " oracle://scott@db:2484/shop?table=TABLE",
        "jdbc:oracle:oci:@PROD.EXAMPLE?TNS_ADMIN=/etc/oracle |"
            + " oracle://user@?tns=PROD.EXAMPLE&table=TABLE",
        "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=h))) |"
            + " oracle://user@host:1521/service?table=TABLE"
      })
  void theUrlToWriteInsteadStandsOnALineOfItsOwn(String text, String url) {
    assertThat(refused(text).advice().lines().map(String::strip)).contains("'" + url + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "user=5/part-0.csv",
        "host=a/part-0.csv",
        "year=2020.csv",
        "a host=b.csv",
        "orders.csv?delimiter=;",
        "jdbc.csv",
        "in/a@b.csv",
        "in/me@host/a.csv",
        "s3/part@0/x",
        "generate:tokens?rows=1"
      })
  void whatOnlyLooksLikeItIsNotRefused(String text) {
    assertThatCode(() -> ForeignUrl.refuse(text)).doesNotThrowAnyException();
  }

  private static Fault.User refused(String text) {
    Fault.User fault = catchThrowableOfType(Fault.User.class, () -> ForeignUrl.refuse(text));
    assertThat(fault).as(text).isNotNull();
    return fault;
  }

  /// Whatever stands around it, quoted or not.
  @Property
  void noPasswordIsRepeated(
      @ForAll @From("password") String password, @ForAll @From("form") String form) {
    Fault.User fault = refused(form.formatted(password));
    assertThat(fault.getMessage() + fault.advice()).doesNotContain(MARK);
    assertThat(Endpoints.redactArguments(form.formatted(password))).doesNotContain(MARK);
  }

  @Provide
  static Arbitrary<String> password() {
    Arbitrary<String> part = Arbitraries.strings().withChars("a7 =&?/@:;%'\\").ofMaxLength(4);
    return part.flatMap(before -> part.map(after -> before + MARK + after));
  }

  @Provide
  static Arbitrary<String> form() {
    return Arbitraries.of(
        "scott/%s@//db:1521/shop",
        "scott/%s@db:1521/shop",
        "host=h password=%s",
        "host=h password='%s' user=me",
        "password = '%s' host=h",
        "user=me password=%s dbname=d",
        "jdbc:postgresql://h/d?user=me&password=%s",
        "jdbc:postgresql://h/d?password=%s&user=me");
  }
}
