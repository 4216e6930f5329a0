package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.TrialSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One trial: the servers' only data set, emptied by the agent that creates it. */
final class KeyValueTrial implements TrialSession {
  private final List<String> servers;
  private final TrialSpec trial;
  private final Records records;
  private final List<byte[]> encoded = new ArrayList<>();
  private final KeyValueClient client;

  KeyValueTrial(List<String> servers, TrialSpec trial, Records records) {
    this.servers = servers;
    this.trial = trial;
    this.records = records;
    for (int record = 0; record < records.size(); record++) {
      encoded.add(encode(records.fields(record)));
    }
    this.client = new KeyValueClient(servers);
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of(
        "cluster.servers", String.valueOf(servers.size()),
        "server.max-heap-bytes", done(client::maxHeap).toString());
  }

  @Override
  public void fill(long from, long to) {
    for (long key = from; key < to; key++) {
      long filled = key;
      done(
          () -> {
            client.put(filled, encoded.get((int) (filled % encoded.size())));
            return filled;
          });
    }
  }

  @Override
  public AccessPath path(LoadThread lane) {
    KeyValueClient own = new KeyValueClient(servers);
    if (trial.path().equals(NativeTestDriver.PUT)) {
      return FunctionPath.writing(
              trial.path(), 1, call -> own.put(call.key(0), encoded.get(call.record(0))))
          .closing(own);
    }
    HighestFields highest = new HighestFields(records.shape(), trial.settings());
    return FunctionPath.reading(
            trial.path(),
            1,
            highest,
            call -> own.get(call.key(0)).ifPresent(value -> highest.see(decode(value))))
        .closing(own);
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(records, this::scan, this::read);
  }

  private void scan(StoredContents.RecordVisitor visitor) {
    Object unused =
        done(
            () -> {
              client.forEach((key, value) -> visitor.visit(key, decode(value)));
              return client;
            });
  }

  /** A client serves one thread at a time. */
  private synchronized Optional<Object[]> read(long key) {
    return done(() -> client.get(key)).map(KeyValueTrial::decode);
  }

  /** Comes after {@link #close}, so it connects anew. */
  @Override
  public void destroy() {
    try (KeyValueClient last = new KeyValueClient(servers)) {
      last.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }

  private static byte[] encode(Object[] fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Object[] decode(byte[] value) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(value))) {
      return (Object[]) in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("A stored value is not what was written.", e);
    }
  }

  /** What speaks with a server. */
  @FunctionalInterface
  private interface Exchange<T> {
    T make() throws IOException;
  }

  private static <T> T done(Exchange<T> exchange) {
    try {
      return exchange.make();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
