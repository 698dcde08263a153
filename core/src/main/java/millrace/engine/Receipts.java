package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.Journal;
import millrace.spi.Receipt;

/// A journal that lasts as long as the run.
final class Receipts implements Journal {

  private final Meter meter;
  private final List<Receipt> receipts = new ArrayList<>();

  Receipts(Meter meter) {
    this.meter = meter;
  }

  @Override
  public synchronized void record(Receipt receipt) {
    receipts.add(receipt);
    if (receipt.durable()) {
      meter.countDurable(receipt.rows());
    }
  }

  @Override
  public synchronized List<Receipt> receipts() {
    return List.copyOf(receipts);
  }
}
