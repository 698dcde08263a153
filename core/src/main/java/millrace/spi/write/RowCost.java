package millrace.spi.write;

import java.io.Serializable;
import millrace.spi.Stage;

/// Something about a target that makes each row dear, and that a user can change.
///
/// @param stage whose time it costs
/// @param what what it is, as the beginning of a sentence: `Its 5 indexes are kept up row by row`
/// @param help what would make it cheaper, a sentence
public record RowCost(Stage stage, String what, String help) implements Serializable {}
