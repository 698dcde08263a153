/// Buckets of S3, and of whatever speaks as it does.
@NullMarked
package millrace.connectors.stores.s3;

import org.jspecify.annotations.NullMarked;
