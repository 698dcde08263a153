package millrace.connectors.stores.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.io.store.StoreWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of many short parts, against the bytes that they are to hold.
class StoreWriterTest {

  private static final int STEPS = 60;
  private static AzurePlaces places;

  @BeforeAll
  static void start() {
    places = new AzurePlaces();
  }

  @AfterAll
  static void stop() {
    places.close();
  }

  /// The bytes that a file is to hold.
  private static final class Model {
    private byte[] bytes = new byte[0];
    private int marked;
    private final List<Integer> marks = new ArrayList<>();

    void mark() {
      marked = bytes.length;
      marks.add(marked);
    }

    void add(byte[] more) {
      int length = bytes.length;
      bytes = Arrays.copyOf(bytes, length + more.length);
      System.arraycopy(more, 0, bytes, length, more.length);
    }

    void cutTo(long length) {
      bytes = Arrays.copyOf(bytes, (int) length);
      marks.removeIf(each -> each > length);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void itHoldsWhatWasWrittenWhateverIsCutAndKilled(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    StorePath path = path("written-" + seed + ".bin");
    Model model = new Model();
    StoreWriter writer = StoreWriter.begin(path);
    for (int i = 0; i < STEPS; i++) {
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3, 4 -> {
          byte[] more = new byte[random.nextInt(250)];
          random.nextBytes(more);
          writer.write(more, more.length);
          model.add(more);
        }
        case 5, 6, 7 -> {
          writer.mark();
          model.mark();
        }
        case 8 -> {
          writer.cutTo(model.marked);
          model.cutTo(model.marked);
        }
        default -> {
          writer = killed(writer, path, model);
        }
      }
      assertThat(writer.length()).isEqualTo(model.bytes.length);
    }
    writer.finish();
    String identity = writer.complete("");
    assertThat(path.content().identity()).isEqualTo(identity);
    assertThat(path.content().bytes()).isEqualTo(model.bytes);
  }

  /// Another process goes on behind what is durable; what this one had besides is gone.
  private static StoreWriter killed(StoreWriter writer, StorePath path, Model model)
      throws IOException {
    writer.force();
    int durable = model.marks.reversed().stream().filter(writer::isDurable).findFirst().orElse(0);
    model.cutTo(durable);
    model.marked = durable;
    if (durable == 0) {
      writer.abort();
      return StoreWriter.begin(path);
    }
    writer.close();
    return Objects.requireNonNull(
        StoreWriter.resume(path.anew(), writer.id(), durable), "what is durable is resumed");
  }

  private static StorePath path(String key) {
    Map<String, String> settings =
        Map.of("endpoint", places.server.endpoint().toString(), "part-size", "100B");
    return (StorePath)
        FileLocation.of("az://" + AzurePlaces.CONTAINER + "/" + key, settings).path();
  }
}
