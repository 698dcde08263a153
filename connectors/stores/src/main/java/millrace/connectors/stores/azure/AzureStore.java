package millrace.connectors.stores.azure;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// A container as a store. The SDK tries each request again that fails in a way that may pass.
///
/// @param root what a user's names of its blobs begin with
record AzureStore(BlobContainerClient client, String root) implements ObjectStore {

  /// How Data Lake Storage, and programs that do as it does, mark a blob that is a folder.
  private static final String FOLDER_MARK = "hdi_isfolder";

  private static final DownloadRetryOptions NO_RETRIES =
      new DownloadRetryOptions().setMaxRetryRequests(0);

  /// Asks the account for something, and tells of a failure as the contract of stores says.
  ///
  /// @param right what the user must be allowed to do
  /// @param key of the blob, or the beginning of keys
  <T> T ask(String right, String key, Function<BlobContainerClient, T> request) throws IOException {
    try {
      return request.apply(client);
    } catch (RuntimeException e) {
      throw AzureFaults.of(root + key, right, e);
    }
  }

  <T> T askBlob(String right, String key, Function<BlockBlobClient, T> request) throws IOException {
    return ask(right, key, all -> request.apply(all.getBlobClient(key).getBlockBlobClient()));
  }

  @Override
  public Listing list(String folder) throws IOException {
    ListBlobsOptions options = options(folder, new BlobListDetails().setRetrieveMetadata(true));
    return ask(
        "list",
        folder,
        all -> {
          List<StoredObject> objects = new ArrayList<>();
          List<String> folders = new ArrayList<>();
          for (BlobItem item : all.listBlobsByHierarchy("/", options, null)) {
            if (Boolean.TRUE.equals(item.isPrefix())) {
              folders.add(item.getName());
            } else if (!isFolder(item.getMetadata()) && !item.getName().endsWith("/")) {
              objects.add(
                  object(
                      item.getName(),
                      item.getProperties().getContentLength(),
                      item.getProperties().getLastModified(),
                      item.getProperties().getETag()));
            }
          }
          return new Listing(objects, folders);
        });
  }

  private static ListBlobsOptions options(String prefix, BlobListDetails details) {
    return new ListBlobsOptions().setPrefix(prefix).setDetails(details);
  }

  private static boolean isFolder(@Nullable Map<String, String> metadata) {
    return metadata != null && "true".equalsIgnoreCase(metadata.get(FOLDER_MARK));
  }

  static StoredObject object(String key, long size, OffsetDateTime modified, String tag) {
    return new StoredObject(key, size, modified.toInstant(), tag.replace("\"", ""), true);
  }

  @Override
  public @Nullable StoredObject find(String key) throws IOException {
    try {
      BlobProperties found = askBlob("read", key, BlockBlobClient::getProperties);
      return isFolder(found.getMetadata())
          ? null
          : object(key, found.getBlobSize(), found.getLastModified(), found.getETag());
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  /// Holds the whole range in memory: who reads a file asks for blocks of it.
  @Override
  public InputStream read(StoredObject object, long from, long to) throws IOException {
    String key = object.key();
    if (object.size() < to) {
      throw new StoreException(root + key, "it ends at byte " + object.size(), false);
    }
    BlobRequestConditions same = same(object.identity());
    if (from == to) {
      askSame(key, blob -> blob.getPropertiesWithResponse(same, null, Context.NONE));
      return InputStream.nullInputStream();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.toIntExact(to - from));
    try {
      askSame(
          key,
          blob ->
              blob.downloadStreamWithResponse(
                  bytes,
                  new BlobRange(from, to - from),
                  NO_RETRIES,
                  same,
                  false,
                  null,
                  Context.NONE));
    } catch (StoreException e) {
      if (bytes.size() == 0) {
        throw e;
      }
      return new SequenceInputStream(new ByteArrayInputStream(bytes.toByteArray()), failing(e));
    }
    if (bytes.size() < to - from) {
      throw new StoreException(root + key, "it ends at byte " + (from + bytes.size()), false);
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  /// What a connection that broke has brought comes first. Whoever reads asks for the rest.
  private static InputStream failing(StoreException e) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw e;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        throw e;
      }
    };
  }

  private <T> T askSame(String key, Function<BlockBlobClient, T> request) throws IOException {
    try {
      return askBlob("read", key, request);
    } catch (FileAlreadyExistsException e) {
      throw find(key) == null
          ? new NoSuchFileException(root + key)
          : new StoreException(root + key, e.getReason(), false);
    }
  }

  /// That a blob is the one of that identity.
  static BlobRequestConditions same(String identity) {
    return new BlobRequestConditions().setIfMatch('"' + identity + '"');
  }

  @Override
  public Upload upload(String key) {
    return AzureUpload.begin(this, key);
  }

  /// Each blob is asked for its blocks: a listing does not tell of those that wait at a blob which
  /// is there already.
  @Override
  public List<Upload> uploads(String prefix) throws IOException {
    ListBlobsOptions options =
        options(prefix, new BlobListDetails().setRetrieveUncommittedBlobs(true));
    List<Upload> uploads = new ArrayList<>();
    for (BlobItem item :
        ask("list", prefix, all -> all.listBlobs(options, null).stream().toList())) {
      if (BlobType.BLOCK_BLOB.equals(item.getProperties().getBlobType())) {
        uploads.addAll(AzureUpload.waiting(this, item.getName()));
      }
    }
    return uploads;
  }

  /// As an upload of one block, which is known for one's own if the answer is lost.
  @Override
  public StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException {
    Upload upload = upload(key);
    return upload.complete(List.of(upload.put(1, bytes, bytes.length)), expected);
  }

  @Override
  public void delete(String key) throws IOException {
    askBlob("delete", key, BlockBlobClient::deleteIfExists);
  }

  @Override
  public void close() {
    // All stores share their connections.
  }
}
