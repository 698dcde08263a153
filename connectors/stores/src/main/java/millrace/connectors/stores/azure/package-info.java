/// Containers of Azure Blob Storage, and of Data Lake Storage, which is the same one.
@NullMarked
package millrace.connectors.stores.azure;

import org.jspecify.annotations.NullMarked;
