package millrace.connectors.couchdb;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.spi.Split;
import org.jspecify.annotations.Nullable;

/// Pages of `_bulk_get`: revisions that `_changes` has named, with their history.
final class ChangePages implements Pages {

  private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);

  private static final List<byte[]> MEMBERS = List.of("docs".getBytes(StandardCharsets.US_ASCII));

  private final CouchClient client;
  private final Part.Revisions part;
  private final @Nullable Span span;
  private final Members members = new Members();
  private int done;
  private int askedTo;

  /// @param part what the split names
  /// @param split it, or a rest of it
  ChangePages(CouchClient client, Part.Revisions part, Split split) {
    this.client = client;
    this.part = part;
    span = Span.of(client.label(), split.resource());
    done = Math.toIntExact(split.from() - part.from());
  }

  @Override
  public String arrayName() {
    return "results";
  }

  @Override
  public List<byte[]> members() {
    return MEMBERS;
  }

  @Override
  public @Nullable Page next(long limit, boolean atOnce) {
    List<byte[]> revisions = part.revisions();
    if (done >= revisions.size()) {
      return null;
    }
    askedTo = (int) Math.min(revisions.size(), done + limit);
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes("{\"docs\":[".getBytes(StandardCharsets.US_ASCII));
    for (int i = done; i < askedTo; i++) {
      if (i > done) {
        request.write(',');
      }
      request.writeBytes(revisions.get(i));
    }
    request.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
    String url = client.address().databaseUrl("_bulk_get?revs=true&attachments=true");
    return new Page("POST", url, request.toByteArray());
  }

  /// Of `{"id":…,"docs":[{"ok":{…}},{"error":{…}}]}` those that are there: one that has been
  /// compacted away since is not.
  @Override
  public void row(RowScanner rows, Documents into) {
    Range list = rows.member(0);
    if (list == null) {
      return;
    }
    byte[] bytes = rows.bytes();
    int end = list.end() - 1;
    int at = Json.space(bytes, list.start() + 1, end);
    while (at < end) {
      int after = Json.value(bytes, at, end);
      if (after < 0) {
        return;
      }
      done++;
      Range ok = Range.ofMember(members, bytes, at, after, OK);
      if (ok != null) {
        into.add(ok, done, done);
      }
      int comma = Json.space(bytes, after, end);
      at = comma < end ? Json.space(bytes, comma + 1, end) : end;
    }
  }

  @Override
  public void complete() throws RowScanner.CutOff {
    if (done < askedTo) {
      throw new RowScanner.CutOff("_bulk_get left documents out");
    }
  }

  @Override
  public @Nullable Place behind(byte[] bytes, Range mark, long given) {
    int taken = mark.start();
    String sequence = part.sequences().get(taken - 1);
    return span == null || sequence.isEmpty()
        ? null
        : new Place(span.from(sequence).resource(client.label()), part.from() + taken);
  }
}
