package millrace.connectors.oracle;

import java.math.BigDecimal;
import millrace.connectors.sql.types.RowParameters;
import org.jspecify.annotations.Nullable;

/// What a setter gives a statement.
final class Given implements RowParameters {

  @Nullable Object value;

  @Override
  public void setNull(int parameter, int type) {
    value = null;
  }

  @Override
  public void setBoolean(int parameter, boolean given) {
    value = given;
  }

  @Override
  public void setLong(int parameter, long given) {
    value = given;
  }

  @Override
  public void setDouble(int parameter, double given) {
    value = given;
  }

  @Override
  public void setBigDecimal(int parameter, BigDecimal given) {
    value = given;
  }

  @Override
  public void setString(int parameter, String given) {
    value = given;
  }

  @Override
  public void setBytes(int parameter, byte[] given) {
    value = given;
  }

  @Override
  public void setObject(int parameter, Object given) {
    value = given;
  }
}
