package io.pyrometer.driver.ignite.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.TrialSpec;
import java.util.Objects;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCompute;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/** A job for server nodes: the digest of the entries whose primary copy the node holds. */
public final class PrimaryDigest implements IgniteCallable<long[]> {
  private static final long serialVersionUID = 1L;

  private final String cacheName;
  private final String trial;
  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  private PrimaryDigest(String cacheName, String trial) {
    this.cacheName = cacheName;
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

  /** Count, then checksum. */
  @Override
  public long[] call() throws JsonProcessingException {
    TrialSpec spec = Json.LINES.readValue(trial, TrialSpec.class);
    Records records = RecordPool.of(spec.record(), spec.settings(), spec.seed());
    BinaryFields fields = BinaryFields.all(records.shape());
    long[] countAndChecksum = new long[2];
    PrimaryEntries.forEach(
        Objects.requireNonNull(ignite),
        cacheName,
        (key, record) -> {
          countAndChecksum[0]++;
          countAndChecksum[1] += records.hash(key, fields.of(record));
        });
    return countAndChecksum;
  }
}
