package millrace.connectors.generate;

import java.util.List;
import millrace.data.Type;

/// `tokens`: field report C's one text of 20 characters.
final class TokensShape {

  private TokensShape() {}

  static Shape of(ShapeParameters shapeParameters) {
    MadeColumn token = MadeColumn.of("token", new Type.Text(20), 20, new Alphanumeric(20, 20, 0));
    return new RowShape(
        List.of(token), List.of(), Shapes.rows(shapeParameters), Shapes.seed(shapeParameters));
  }
}
