/// What a session of the stand-in does with a client: it connects, logs on, and carries out calls.
///
/// {@link millrace.testkit.oracle.call.ClientSession} reads one TTC message after another and hands
/// each to the class that is named after the call.
@NullMarked
package millrace.testkit.oracle.call;

import org.jspecify.annotations.NullMarked;
