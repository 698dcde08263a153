package millrace.report.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.report.Report;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// What a call and what a row costs.
final class UnitCostTest {

  /// Report C's rows: 336 s one by one and 13.9 s by the hundred.
  @Test
  void theTimeIsSplitIntoWhatACallAndWhatARowCosts() {
    Axis unit = new Axis("write-unit", List.of("1", "10", "100"));
    List<Sweep.Point> points = new ArrayList<>();
    for (String value : unit.values()) {
      double calls = Made.ROWS / Double.parseDouble(value);
      double millis = calls * 0.325 + Made.ROWS * 0.0107;
      long bytes = Math.round(calls * 50 + Made.ROWS * 25);
      points.add(
          new Sweep.Point(
              List.of(value),
              List.of(Made.report(millis, bytes), Made.report(millis, bytes)),
              null));
    }
    Sweep sweep = Made.sweep(List.of(unit), points.toArray(Sweep.Point[]::new));
    List<UnitCost> costs = UnitCost.of(sweep);
    assertThat(costs).extracting(UnitCost::name).containsExactly("time, µs", "bytes written");
    UnitCost time = costs.getFirst();
    assertThat(time.scaled(time.line().slope())).isCloseTo(325, within(0.01));
    assertThat(time.scaled(time.line().intercept())).isCloseTo(10.7, within(0.01));
    assertThat(costs.getLast().line().slope()).isCloseTo(50, within(1e-6));
    assertThat(costs.getLast().line().intercept()).isCloseTo(25, within(1e-6));
    assertThat(SweepText.costs(sweep))
        .anyMatch(line -> line.matches("time, µs +write-unit +325 .*"));
  }

  @Test
  void bytesThatAreWrittenAreTheTargetsAlsoWhereTheSourceIsCompressed() {
    Axis unit = new Axis("write-unit", List.of("1000B", "10000B"));
    // Rows of 100 bytes, of 10 each in the source: 10 and 100 rows a call.
    Sweep sweep =
        Made.sweep(
            List.of(unit),
            new Sweep.Point(List.of("1000B"), List.of(Made.compressed(100 + 500)), null),
            new Sweep.Point(List.of("10000B"), List.of(Made.compressed(10 + 500)), null));
    UnitCost time = UnitCost.of(sweep).getFirst();
    assertThat(time.line().slope() / 1e6).isCloseTo(1, within(1e-9));
    assertThat(time.line().intercept() / 1e6).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void unitsThatAreTheSameRowsTellNoCosts() {
    Sweep sweep =
        Made.sweep(
            List.of(new Axis("write-unit", List.of("1B", "2B"))),
            Made.point("1B", 1000, 1000),
            Made.point("2B", 1001, 1001));
    assertThat(UnitCost.of(sweep)).isEmpty();
  }

  @Test
  void eachMethodHasItsOwnCosts() {
    Axis method = new Axis("method", List.of("normal", "native"));
    Axis unit = new Axis("write-unit", List.of("1", "10"));
    Sweep sweep =
        Made.sweep(
            List.of(method, unit),
            Made.point("normal 1", 2000, 2000),
            Made.point("normal 10", 1100, 1100),
            Made.point("native 1", 30, 30),
            Made.point("native 10", 30, 30));
    assertThat(SweepText.costs(sweep))
        .anyMatch(
            line -> line.matches("time, µs +write-unit with method=normal +1,000 .* 1,000 .*"))
        .anyMatch(line -> line.matches("time, µs +write-unit with method=native +0 .* 30.0 .*"));
  }

  @Test
  void countersThatTheUnitDoesNotMoveAreOnlyCountedButAllInTheJson() {
    Axis unit = new Axis("write-unit", List.of("1", "10", "100"));
    List<Sweep.Point> points = new ArrayList<>();
    long[] noise = {7, -9, 8, 3, -8, -6};
    for (int i = 0; i < 3; i++) {
      long calls = Math.round(Made.ROWS / Math.pow(10, i));
      List<Report> copies = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        copies.add(
            Made.counted(
                Map.of(
                    "calls",
                    calls + 2,
                    "rows",
                    3 * Made.ROWS,
                    "blocks",
                    50 + noise[2 * i + round],
                    "saved",
                    5000 - calls)));
      }
      points.add(new Sweep.Point(List.of(unit.values().get(i)), copies, null));
    }
    Sweep sweep = Made.sweep(List.of(unit), points.toArray(Sweep.Point[]::new));
    List<String> lines = SweepText.costs(sweep);
    assertThat(lines)
        .anyMatch(line -> line.matches("target server calls .* write-unit +1.00 .*"))
        .anyMatch(line -> line.startsWith("time, µs "))
        .noneMatch(line -> line.matches("target server (rows|blocks|saved).*"));
    assertThat(lines.getLast()).startsWith("left out: 3 counters of which a call costs nothing");
    assertThat(SweepJson.of(sweep).path("costs").findValuesAsText("figure"))
        .hasSize(6)
        .anyMatch(figure -> figure.contains("blocks"));
  }

  @Test
  void aCostBelowNothingIsNotPrintedAsOne() {
    Axis unit = new Axis("write-unit", List.of("1", "10"));
    Sweep sweep = Made.sweep(List.of(unit), Made.point("1", 20, 20), Made.point("10", 30, 30));
    assertThat(SweepText.costs(sweep))
        .anyMatch(line -> line.matches("time, µs +write-unit +below 0 .*"))
        .anyMatch(line -> line.startsWith("below 0: no cost; the copies differ by more"))
        .noneMatch(line -> line.contains("-11"));
  }

  @Test
  void onlyUnitsHaveCalls() {
    Axis lanes = new Axis("lanes", List.of("1", "2"));
    Sweep sweep = Made.sweep(List.of(lanes), Made.point("1", 10, 11), Made.point("2", 9, 8));
    assertThat(SweepText.costs(sweep)).isEmpty();
  }

  /// The reference solves the normal equations by Cramer's rule and inverts their matrix.
  @Property(tries = 300)
  void theLineIsThatOfTheNormalEquations(
      @ForAll @Size(min = 3, max = 12) List<@DoubleRange(min = 0.1, max = 9) Double> ys,
      @ForAll @DoubleRange(min = 0.5, max = 2) double step) {
    double[] x = new double[ys.size()];
    double[] y = new double[ys.size()];
    double[] w = new double[ys.size()];
    double s = 0;
    double sx = 0;
    double sxx = 0;
    double sy = 0;
    double sxy = 0;
    for (int i = 0; i < x.length; i++) {
      x[i] = i * step;
      y[i] = ys.get(i);
      w[i] = 1 / (y[i] * y[i]);
      s += w[i];
      sx += w[i] * x[i];
      sxx += w[i] * x[i] * x[i];
      sy += w[i] * y[i];
      sxy += w[i] * x[i] * y[i];
    }
    double determinant = s * sxx - sx * sx;
    double intercept = (sy * sxx - sx * sxy) / determinant;
    double slope = (s * sxy - sx * sy) / determinant;
    double squares = 0;
    for (int i = 0; i < x.length; i++) {
      squares += w[i] * Math.pow(y[i] - intercept - slope * x[i], 2);
    }
    double variance = squares / (x.length - 2);
    FittedLine line = FittedLine.of(x, y, w);
    assertThat(line.intercept()).isCloseTo(intercept, within(1e-7));
    assertThat(line.slope()).isCloseTo(slope, within(1e-7));
    assertThat(line.slopeError()).isCloseTo(Math.sqrt(variance * s / determinant), within(1e-6));
    assertThat(line.interceptError())
        .isCloseTo(Math.sqrt(variance * sxx / determinant), within(1e-6));
  }

  @Test
  void twoPointsLeaveNothingToTellTheErrorBy() {
    FittedLine line = FittedLine.of(new double[] {1, 2}, new double[] {3, 5}, new double[] {1, 1});
    assertThat(line.slope()).isCloseTo(2, within(1e-12));
    assertThat(line.intercept()).isCloseTo(1, within(1e-12));
    assertThat(line.slopeError()).isNaN();
  }
}
