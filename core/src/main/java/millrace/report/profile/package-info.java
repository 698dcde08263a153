/// Which methods a run spent its processor time in, by the JDK's own Flight Recorder.
@NullMarked
package millrace.report.profile;

import org.jspecify.annotations.NullMarked;
