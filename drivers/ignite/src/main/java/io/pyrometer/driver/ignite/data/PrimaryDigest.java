package io.pyrometer.driver.ignite.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TrialSpec;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCompute;

/** The digest of a node's entries: their count, then their checksum. */
public final class PrimaryDigest extends PrimaryJob<long[]> {
  private static final long serialVersionUID = 1L;

  private final String trial;

  private PrimaryDigest(String cacheName, String trial) {
    super(cacheName);
    this.trial = trial;
  }

  /** The digest of a cache, computed by its servers, which must have this class. */
  public static ContentDigest over(Ignite ignite, String cacheName, TrialSpec trial) {
    IgniteCompute servers = ignite.compute(ignite.cluster().forDataNodes(cacheName));
    try {
      PrimaryDigest job = new PrimaryDigest(cacheName, Json.LINES.writeValueAsString(trial));
      return servers.broadcast(job).stream()
          .map(part -> new ContentDigest(part[0], part[1]))
          .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The trial cannot be sent to the servers.", e);
    }
  }

  @Override
  public long[] call() throws JsonProcessingException {
    TrialSpec spec = Json.LINES.readValue(trial, TrialSpec.class);
    Records records = RecordPool.of(spec.record(), spec.settings(), spec.seed());
    BinaryFields fields = BinaryFields.all(records.shape());
    long[] countAndChecksum = new long[2];
    forEach(
        (key, record) -> {
          countAndChecksum[0]++;
          countAndChecksum[1] += records.hash(key, fields.of(record));
        });
    return countAndChecksum;
  }
}
