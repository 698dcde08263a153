package millrace.connectors.generate;

import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import millrace.fault.Fault;
import millrace.spi.Endpoint;

/// Reads the parameters of a shape from its endpoint.
///
/// @param endpoint as the user gave it
record ShapeParameters(Endpoint endpoint) {

  /// A whole number in a range.
  ///
  /// @throws Fault.User if it is none
  long number(String name, long otherwise, long least, long most) {
    String text = endpoint.text(name).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text.replace("_", ""));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException _) {
      // The same message serves a number that is none and one that is out of range.
    }
    throw new Fault.User(
        name
            + "="
            + text
            + " is no whole number from "
            + least
            + " to "
            + most
            + " ("
            + endpoint.label()
            + ").",
        "Write for example " + name + "=" + otherwise + ".");
  }

  /// A number above 0, decimals allowed.
  ///
  /// @throws Fault.User if it is none
  double positive(String name, double otherwise) {
    String text = endpoint.text(name).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double number = Double.parseDouble(text);
      if (number > 0 && number < Double.POSITIVE_INFINITY) {
        return number;
      }
    } catch (NumberFormatException _) {
      // The same message serves a number that is none and one that is not above 0.
    }
    throw new Fault.User(
        name + "=" + text + " is no number above 0 (" + endpoint.label() + ").",
        "Write for example " + name + "=0.1.");
  }

  /// A date and time such as 2019-04-01T23:55:00.
  ///
  /// @throws Fault.User if it is none
  LocalDateTime moment(String name, String otherwise) {
    String text = endpoint.text(name).orElse(otherwise);
    try {
      return LocalDateTime.parse(text.strip().replace(' ', 'T'));
    } catch (DateTimeParseException e) {
      throw new Fault.User(
          name + "=" + text + " is no date and time (" + endpoint.label() + ").",
          "Write for example " + name + "=" + otherwise + ".",
          e);
    }
  }
}
