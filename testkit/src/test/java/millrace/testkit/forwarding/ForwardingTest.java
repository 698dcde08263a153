package millrace.testkit.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A method with a default that is not handed on would be another end's than the one that a test is
/// about.
class ForwardingTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        ForwardingSource.class,
        ForwardingDescribedSource.class,
        ForwardingReadSession.class,
        ForwardingTarget.class,
        ForwardingDescribedTarget.class,
        ForwardingPlannedTarget.class,
        ForwardingWriteSession.class,
        ForwardingReader.class,
        ForwardingWriter.class
      })
  void everyMethodIsHandedOn(Class<?> forwarding) {
    for (Method method : forwarding.getInterfaces()[0].getMethods()) {
      assertThat(forwarding.getDeclaredMethods())
          .as(method.toString())
          .anyMatch(own ->
              Modifier.isStatic(method.getModifiers())
                  || (own.getName().equals(method.getName())
                      && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())));
    }
  }
}
