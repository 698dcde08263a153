/// Splits that other processes work off, each by attempts that own it.
@org.jspecify.annotations.NullMarked
package millrace.engine.remote;
