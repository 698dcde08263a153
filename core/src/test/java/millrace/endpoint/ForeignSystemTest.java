package millrace.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ForeignSystemTest {

  private static final String SECRET = "s3cret";

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '~',
      value = {
        "s3://bucket/a.csv # aws s3 cp s3://bucket/orders.csv - | millrace copy - TO",
        "S3://s3cret@bucket/a.csv # aws s3 cp s3://bucket/orders.csv - | millrace copy - TO",
        "s3a://bucket/a.csv # aws s3 cp s3://bucket/orders.csv - | millrace copy - TO",
        "https://h/a.csv?X-Amz-Signature=s3cret # curl -fsSL URL | millrace copy - TO",
        "http://me:s3cret@h/a.csv # curl -fsSL URL | millrace copy - TO",
        "gs://bucket/a.csv # gcloud storage cat gs://bucket/orders.csv | millrace copy - TO",
        "abfss://c@a.dfs.core.windows.net/a.csv # millrace copy orders.csv TO",
        "az://c/a.csv?sig=s3cret # millrace copy orders.csv TO",
        "sftp://me:s3cret@h/a.csv # ssh host cat orders.csv | millrace copy - TO",
        "mongodb+srv://me:s3cret@h/shop #"
            + " mongoexport --uri=URI --collection=orders | millrace copy - TO --format jsonl",
        "cockroachdb://h:26257/shop # postgresql://user@host:5432/shop?table=orders",
        "sqlserver://me:s3cret@h/shop?table=t # millrace copy"
            + " 'jdbc:sqlserver://host:1433;databaseName=shop;user=me?table=orders' TO --driver"
            + " driver.jar",
        "mssql://h;password=s3cret # millrace copy"
            + " 'jdbc:sqlserver://host:1433;databaseName=shop;user=me?table=orders' TO --driver"
            + " driver.jar",
        "db2://h/shop # millrace copy 'jdbc:db2://host:50000/shop?table=orders' TO --driver"
            + " driver.jar",
        "snowflake://me:s3cret@account/db # millrace copy"
            + " 'jdbc:snowflake://ACCOUNT.snowflakecomputing.com/?db=SHOP&table=orders' TO"
            + " --driver driver.jar",
        "h2:./shop # millrace copy 'jdbc:h2:./shop?table=orders' TO --driver driver.jar"
      })
  void whatGetsTheRowsAcrossStandsOnALineOfItsOwn(String text, String command) {
    Endpoints ends = new Endpoints(List.of(), Map.of());
    Fault.User fault = catchThrowableOfType(Fault.User.class, () -> ends.parse(text));
    assertThat(fault).as(text).isNotNull();
    assertThat(fault.advice().lines().map(String::strip)).contains(command);
    assertThat(fault.getMessage() + fault.advice()).doesNotContain(SECRET);
  }

  @Test
  void aConnectionOfThatNameIsMeant() {
    Endpoints ends =
        new Endpoints(
            List.of(),
            Map.of(
                "s3",
                () -> {
                  throw new IllegalStateException("asked for");
                }));
    assertThat(catchThrowableOfType(IllegalStateException.class, () -> ends.parse("s3:orders")))
        .hasMessage("asked for");
  }
}
