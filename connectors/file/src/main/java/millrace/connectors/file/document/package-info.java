/// Documents of JSON Lines as rows.
@NullMarked
package millrace.connectors.file.document;

import org.jspecify.annotations.NullMarked;
