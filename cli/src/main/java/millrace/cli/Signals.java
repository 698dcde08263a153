package millrace.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.LoggerFactory;

/// Tells of signals as they come, each time. The JDK's only way to that is `sun.misc.Signal` of the
/// module jdk.unsupported, which javac warns of in words that can't be silenced: so it is called by
/// its name.
final class Signals {

  private Signals() {}

  /// From now on does the work at that signal, on a thread of its own, in the place of what the JVM
  /// does. A signal that whoever started the process wants ignored stays ignored. If the JDK has no
  /// such module, nothing changes.
  ///
  /// @param name without `SIG`
  static void on(String name, Runnable work) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Method handle = signal.getMethod("handle", signal, handler);
      Object number = signal.getConstructor(String.class).newInstance(name);
      InvocationHandler calls = (self, method, arguments) -> called(work, self, method, arguments);
      Object ours =
          Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, calls);
      Object before = handle.invoke(null, number, ours);
      Object ignored = handler.getField("SIG_IGN").get(null);
      if (ignored.equals(before)) {
        handle.invoke(null, number, before);
      }
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LoggerFactory.getLogger(Signals.class).debug("no signal {} here", name, e);
    }
  }

  // A proxy is equal to itself alone.
  @SuppressWarnings("ReferenceEquality")
  private static Object called(Runnable work, Object self, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "millrace's signal handler";
      default -> {
        work.run();
        yield self;
      }
    };
  }
}
