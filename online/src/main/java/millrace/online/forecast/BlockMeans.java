package millrace.online.forecast;

/// Means of neighbours. What is measured each second depends on the second before, because a queue
/// empties slowly. Means of blocks that are longer than that are close to independent of each
/// other, as a regression demands (batch means, for example Law, Simulation Modeling and Analysis).
public final class BlockMeans {

  private BlockMeans() {}

  /// The mean of each block. Values at the end that don't fill a block are left out.
  ///
  /// @param size of a block, at least 1
  public static double[] means(double[] values, int size) {
    double[] means = new double[values.length / size];
    for (int i = 0; i < means.length; i++) {
      double sum = 0;
      for (int j = 0; j < size; j++) {
        sum += values[i * size + j];
      }
      means[i] = sum / size;
    }
    return means;
  }
}
