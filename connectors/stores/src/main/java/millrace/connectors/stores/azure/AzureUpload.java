package millrace.connectors.stores.azure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.Block;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.models.BlockListType;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// Blocks of a blob that are not committed yet. Azure knows no uploads: the name of a block tells
/// whose it is, and which part. Who commits some blocks of a blob drops all others.
///
/// Each process that goes on with an upload has its own names of blocks: one that writes on, though
/// another has taken the upload over, does not put its blocks in the place of that one's.
///
/// @param id random; what the names of its blocks begin with
/// @param process how many had blocks of it before this one
record AzureUpload(AzureStore store, String key, String id, int process) implements Upload {

  /// Azure wants names of one length, and no other program begins its so.
  private static final String MARK = "millrace-";

  private static final int ID_LENGTH = MARK.length() + 16;

  /// Its number, and that of the part, in hexadecimal and in decimal digits.
  private static final int PROCESS_LENGTH = 4;

  private static final int PARTS_MAX = 50_000;

  static Upload begin(AzureStore store, String key) {
    String random = UUID.randomUUID().toString().replace("-", "");
    return new AzureUpload(store, key, (MARK + random).substring(0, ID_LENGTH), 0);
  }

  /// The uploads whose blocks wait at a key.
  static List<Upload> waiting(AzureStore store, String key) throws IOException {
    Map<String, Integer> processes = new LinkedHashMap<>();
    for (Block block : uncommitted(store, key)) {
      String name = name(block);
      if (name.startsWith(MARK)) {
        processes.merge(name.substring(0, ID_LENGTH), process(name) + 1, Math::max);
      }
    }
    List<Upload> all = new ArrayList<>();
    processes.forEach((id, process) -> all.add(new AzureUpload(store, key, id, process)));
    return all;
  }

  private static int process(String name) {
    return Integer.parseInt(name, ID_LENGTH, ID_LENGTH + PROCESS_LENGTH, 16);
  }

  private static int number(Block block) {
    String name = name(block);
    return Integer.parseInt(name, ID_LENGTH + PROCESS_LENGTH, name.length(), 10);
  }

  private static List<Block> uncommitted(AzureStore store, String key) throws IOException {
    try {
      return store.askBlob(
          "read", key, blob -> blob.listBlocks(BlockListType.UNCOMMITTED).getUncommittedBlocks());
    } catch (NoSuchFileException _) {
      return List.of();
    }
  }

  private static String name(Block block) {
    return new String(Base64.getDecoder().decode(block.getName()), US_ASCII);
  }

  /// Of several of one number the one of the process that came last: it went on behind parts that
  /// all of those before it have.
  @Override
  public List<Part> parts() throws IOException {
    Map<Integer, Block> last = new TreeMap<>();
    for (Block block : uncommitted(store, key)) {
      if (name(block).startsWith(id)) {
        last.merge(
            number(block),
            block,
            (one, other) -> process(name(one)) > process(name(other)) ? one : other);
      }
    }
    return last.entrySet().stream()
        .map(each ->
            new Part(each.getKey(), each.getValue().getSizeLong(), each.getValue().getName()))
        .toList();
  }

  @Override
  public Part put(int number, byte[] bytes, int length) throws IOException {
    String spelled = "%s%04x%05d".formatted(id, process, number);
    String name = Base64.getEncoder().encodeToString(spelled.getBytes(US_ASCII));
    // Azure takes no block of no bytes.
    if (length > 0) {
      BinaryData data = BinaryData.fromByteBuffer(ByteBuffer.wrap(bytes, 0, length));
      BlockBlobStageBlockOptions options = new BlockBlobStageBlockOptions(name, data);
      store.askBlob("write", key, blob -> blob.stageBlockWithResponse(options, null, Context.NONE));
    }
    return new Part(number, length, name);
  }

  @Override
  public long partBytesMin() {
    return 1;
  }

  @Override
  public int partsMax() {
    return PARTS_MAX;
  }

  @Override
  public StoredObject complete(List<Part> parts, @Nullable String expected) throws IOException {
    List<String> names = parts.stream().filter(part -> part.bytes() > 0).map(Part::tag).toList();
    BlockBlobCommitBlockListOptions options =
        new BlockBlobCommitBlockListOptions(names).setRequestConditions(condition(expected));
    try {
      BlockBlobItem done =
          store.askBlob(
              "write",
              key,
              blob -> blob.commitBlockListWithResponse(options, null, Context.NONE).getValue());
      long bytes = parts.stream().mapToLong(Part::bytes).sum();
      return AzureStore.object(key, bytes, done.getLastModified(), done.getETag());
    } catch (FileAlreadyExistsException e) {
      // If the answer to the first try was lost, a later one finds what the first one wrote.
      @Nullable StoredObject there = store.find(key);
      if (there == null || names.isEmpty() || !names.equals(committed())) {
        throw e;
      }
      return there;
    }
  }

  private List<String> committed() throws IOException {
    return store.askBlob(
        "read",
        key,
        blob ->
            blob.listBlocks(BlockListType.COMMITTED).getCommittedBlocks().stream()
                .map(Block::getName)
                .toList());
  }

  private static BlobRequestConditions condition(@Nullable String expected) {
    if (expected == null) {
      return new BlobRequestConditions();
    }
    return expected.isEmpty()
        ? new BlobRequestConditions().setIfNoneMatch("*")
        : AzureStore.same(expected);
  }

  /// Lets the blocks go, which nobody sees. No request removes them: Azure drops them after a week,
  /// or when the blob is written.
  @Override
  public void abort() {
    // See above.
  }
}
