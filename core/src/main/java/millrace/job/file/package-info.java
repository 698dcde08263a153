/// Job files: which copies a file of the user's asks for. Nothing is opened here.
@NullMarked
package millrace.job.file;

import org.jspecify.annotations.NullMarked;
