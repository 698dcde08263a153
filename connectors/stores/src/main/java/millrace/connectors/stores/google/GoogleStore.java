package millrace.connectors.stores.google;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.connectors.stores.AnswerBody;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.jspecify.annotations.Nullable;

/// A bucket of Google Cloud Storage as a store. An object's identity is its generation.
final class GoogleStore implements ObjectStore {

  private final GoogleBucket bucket;
  private volatile boolean isThere;

  GoogleStore(GoogleBucket bucket) {
    this.bucket = bucket;
  }

  @Override
  public Listing list(String folder) throws IOException {
    List<StoredObject> objects = new ArrayList<>();
    // An emulator repeats them on each page.
    Set<String> folders = new LinkedHashSet<>();
    for (JsonNode page : bucket.list(folder, "&delimiter=%2F&maxResults=1000", true)) {
      for (JsonNode each : page.path("items")) {
        StoredObject object = GoogleBucket.object(each);
        if (!object.key().endsWith("/") && !GoogleUpload.isPart(object.key())) {
          objects.add(object);
        }
      }
      page.path("prefixes").forEach(each -> folders.add(each.asText()));
    }
    return new Listing(objects, List.copyOf(folders));
  }

  @Override
  public @Nullable StoredObject find(String key) throws IOException {
    @Nullable JsonNode found = bucket.find(key);
    if (found == null) {
      requireBucket();
      return null;
    }
    return GoogleBucket.object(found);
  }

  /// The answer about an object that is not there does not tell if its bucket is.
  private void requireBucket() throws IOException {
    if (isThere) {
      return;
    }
    try {
      bucket.list("", "&maxResults=1", false);
      isThere = true;
    } catch (AccessDeniedException _) {
      // Told only of a bucket that is there.
      isThere = true;
    }
  }

  @Override
  public InputStream read(StoredObject object, long from, long to) throws IOException {
    String key = object.key();
    if (object.size() < to) {
      throw failed(key, "it ends at byte " + object.size());
    }
    if (from == to) {
      @Nullable JsonNode found = bucket.find(key);
      if (found == null) {
        throw new NoSuchFileException(bucket.location(key));
      }
      requireSame(object, found.path("generation").asText());
      return InputStream.nullInputStream();
    }
    try {
      return bucket.send(
          GoogleBucket.GET,
          key,
          bucket
              .about(key, "?alt=media&ifGenerationMatch=" + object.identity())
              .header("Range", "bytes=%d-%d".formatted(from, to - 1))
              // As it is stored: what is stored as gzip else comes unpacked, and has no ranges.
              .header("Accept-Encoding", "gzip"),
          response -> checked(object, from, to, response));
    } catch (FileAlreadyExistsException _) {
      throw failed(key, GoogleFaults.CHANGED);
    }
  }

  private InputStream checked(
      StoredObject object, long from, long to, HttpResponse<InputStream> response)
      throws IOException {
    InputStream body = response.body();
    try {
      // An emulator does not heed the condition.
      requireSame(
          object, response.headers().firstValue("x-goog-generation").orElse(object.identity()));
      long bytes = response.headers().firstValueAsLong("content-length").orElse(-1);
      if (response.statusCode() != 206 || bytes < 0 || bytes > to - from) {
        throw failed(object.key(), "the store does not answer with a range of it");
      }
      if (bytes < to - from) {
        throw failed(object.key(), "it ends at byte " + (from + bytes));
      }
      return new AnswerBody(body, bytes);
    } catch (IOException e) {
      body.close();
      throw e;
    }
  }

  private void requireSame(StoredObject object, String generation) throws IOException {
    if (!generation.equals(object.identity())) {
      throw failed(object.key(), GoogleFaults.CHANGED);
    }
  }

  private StoreException failed(String key, String reason) {
    return new StoreException(bucket.location(key), reason, false);
  }

  @Override
  public Upload upload(String key) {
    return GoogleUpload.begin(bucket, key);
  }

  @Override
  public List<Upload> uploads(String prefix) throws IOException {
    return GoogleUpload.all(bucket, prefix);
  }

  @Override
  public StoredObject put(String key, byte[] bytes, @Nullable String expected) throws IOException {
    return GoogleUpload.begin(bucket, key).single(bytes, expected);
  }

  @Override
  public void delete(String key) throws IOException {
    GoogleUpload.delete(bucket, key);
  }

  @Override
  public void close() {
    bucket.close();
  }
}
