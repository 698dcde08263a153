package millrace.online.run;

import millrace.spi.online.OnlineStore;

/// Keeps nothing, but has clients make of their rows what a target takes: what they alone can offer
/// to it is measured by that.
final class EncodingStore extends NullStore {

  private final OnlineStore target;

  /// @param target its tables are made; it is the caller's to close
  EncodingStore(OnlineStore target) {
    this.target = target;
  }

  @Override
  public RowWriter writer() {
    return target.encoder();
  }
}
