package millrace.connectors.file;

import java.util.Comparator;
import java.util.List;
import millrace.connectors.file.csv.BlockReader;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;

/// What an earlier run has taken of sources that can only be read from their beginning: it is
/// stepped over, and its checksums show whether it is still the same.
///
/// The lanes' readers share it.
final class CommittedPrefix {

  private final List<Receipt> receipts;

  /// @param receipts of an earlier run, in any order
  CommittedPrefix(List<Receipt> receipts) {
    this.receipts =
        receipts.stream()
            .sorted(Comparator.comparingLong(receipt -> receipt.split().from()))
            .toList();
  }

  /// Steps over what lies before a split that begins within its file.
  ///
  /// @param block reads the file from its beginning
  /// @param dataStart where the file's rows begin
  /// @throws Fault.User if other bytes stand there than before
  void stepOver(BlockReader block, Split split, long dataStart) {
    block.skip(dataStart);
    long at = dataStart;
    for (Receipt receipt : receipts) {
      Split rest = receipt.rest();
      boolean next =
          receipt.split().resource().equals(split.resource()) && receipt.split().from() == at;
      if (next && rest != null && rest.from() <= split.from()) {
        if (block.skip(rest.from() - at) != receipt.checksum()) {
          throw new Fault.User(
              split.resource()
                  + " is not what it was: bytes "
                  + at
                  + " to "
                  + rest.from()
                  + " differ from those that have been copied.",
              "Give the same again, or begin again with --fresh.");
        }
        at = rest.from();
      }
    }
    block.skip(split.from() - at);
  }
}
