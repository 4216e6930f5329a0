package io.pyrometer.driver.nativetest;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One trial: the servers' only data set, emptied by the agent that creates it. */
final class KeyValueTrial extends MapTrial<Long, byte[]> {
  private final List<String> servers;
  private final KeyValueClient client;

  KeyValueTrial(List<String> servers, TrialSpec trial, Records records) {
    super(trial, records, 1_000, Long::valueOf, new RecordBytes(records));
    this.servers = servers;
    this.client = new KeyValueClient(servers);
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of(
        "cluster.servers", String.valueOf(servers.size()),
        "server.max-heap-bytes", String.valueOf(client.maxHeap()));
  }

  @Override
  public AccessPath path(LoadThread thread) {
    KeyValueClient own = new KeyValueClient(servers);
    FunctionPath opened = path.equals("put") ? put(own::put) : get(own::get);
    return opened.closing(own);
  }

  /** A client serves one thread at a time. */
  @Override
  protected synchronized byte @Nullable [] read(Long key) {
    return client.get(key);
  }

  @Override
  protected void load(Map<Long, byte[]> batch) {
    batch.forEach(client::put);
  }

  @Override
  protected void scan(StoredContents.RecordVisitor visitor) {
    client.forEach((key, value) -> visitor.visit(key, form.fields(value)));
  }

  /** Comes after {@link #close}, so it connects anew. */
  @Override
  public void destroy() {
    try (KeyValueClient last = new KeyValueClient(servers)) {
      last.clear();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
