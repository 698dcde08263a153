/// JSON documents as rows and rows as JSON documents, for every system that has documents.
@NullMarked
package millrace.connectors.json;

import org.jspecify.annotations.NullMarked;
