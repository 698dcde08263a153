/// What users write for an end of a job, and the endpoint that it means.
@NullMarked
package millrace.endpoint;

import org.jspecify.annotations.NullMarked;
