/// What the machine did while a run went on: processors, server processes, disks. Linux alone tells
/// all of it, through /proc and /sys; elsewhere the figures say what is missing.
@NullMarked
package millrace.report.host;

import org.jspecify.annotations.NullMarked;
