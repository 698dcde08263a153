package millrace.online.report;

import java.util.Locale;

/// Who took how much of this machine's processors during a run, each from 0 to 1.
///
/// @param own this process
/// @param target the target's server; 0 if it is elsewhere, or in this process
/// @param others all else, and what a hypervisor gives to other machines
public record ProcessorUse(double own, double target, double others) {

  /// From this share of the machine on, who waits for a processor waits for others.
  private static final double CROWDED_MIN = 0.2;

  /// Whether clients that wait for a processor wait for others.
  public boolean isCrowded() {
    return others >= CROWDED_MIN;
  }

  /// All together.
  public double busy() {
    return Math.min(1, own + target + others);
  }

  /// In a sentence.
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "This machine's processors were %.0f %% busy: Millrace took %.0f %%, %sother programs"
            + " %.0f %%.",
        100 * busy(),
        100 * own,
        target > 0 ? String.format(Locale.ROOT, "the target's server %.0f %%, ", 100 * target) : "",
        100 * others);
  }
}
