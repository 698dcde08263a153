package millrace.spi;

import java.util.List;

/// Keeps the receipts of a run. Threads may share it.
public interface Journal {

  /// Records that a split has been taken.
  void record(Receipt receipt);

  /// All receipts so far, in the order they came.
  List<Receipt> receipts();
}
