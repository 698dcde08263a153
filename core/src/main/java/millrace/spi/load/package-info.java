/// How a load begins, resumes, ends and is undone: the same for all systems that keep what a run
/// has done. A system gives the {@link millrace.spi.load.Place} that rows go into and the {@link
/// millrace.spi.load.LoadLedger} that knows of the run; {@link millrace.spi.load.LoadWalk} decides
/// in which order they are asked for what.
@NullMarked
package millrace.spi.load;

import org.jspecify.annotations.NullMarked;
