/// Buckets of Google Cloud Storage.
@NullMarked
package millrace.connectors.stores.google;

import org.jspecify.annotations.NullMarked;
