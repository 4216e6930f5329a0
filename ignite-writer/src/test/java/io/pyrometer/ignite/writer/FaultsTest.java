package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletionException;
import javax.cache.CacheException;
import org.apache.ignite.cache.CachePartialUpdateException;
import org.apache.ignite.cluster.ClusterTopologyException;
import org.apache.ignite.internal.NodeStoppingException;
import org.apache.ignite.internal.cluster.ClusterTopologyServerNotFoundException;
import org.apache.ignite.internal.processors.cache.CachePartialUpdateCheckedException;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private static Fault read(Throwable error) {
    return Fault.ofThick(error, () -> true, () -> true);
  }

  private static CachePartialUpdateException partial(Throwable cause, Object... keys) {
    CachePartialUpdateCheckedException inner = new CachePartialUpdateCheckedException("failed");
    inner.add(List.of(keys), cause);
    return new CachePartialUpdateException(inner);
  }

  @Test
  void aPartialFailureTellsItsKeysAndTheCauseBehindIt() {
    Exception reason = new IllegalArgumentException("not serializable");
    Fault fault = read(new CompletionException(partial(reason, 1, 2)));
    assertThat(fault.kind).isEqualTo(Fault.Kind.KEYS);
    assertThat(fault.failedKeys).hasSize(2);
    assertThat(fault.failedKeys.toArray()).containsExactlyInAnyOrder(1, 2);
    assertThat(fault.cause).isSameAs(reason);
  }

  @Test
  void errorsAreKnownByTheNamesOfTheirClassesAndSuperclassesEvenDeepInside() {
    for (Exception passing :
        List.of(
            partial(new ClusterTopologyException("node left"), 1),
            new CacheException(new ClusterTopologyException("left")),
            new CacheException(new ClusterTopologyServerNotFoundException("no")),
            new CacheException(new NodeStoppingException("stops")))) {
      assertThat(read(passing).kind).isEqualTo(Fault.Kind.PASSING);
    }
    assertThat(read(new CacheException("?")).kind).isEqualTo(Fault.Kind.KEYS);
    assertThat(read(new CacheException(new IllegalStateException("not complete"))).kind)
        .isEqualTo(Fault.Kind.KEYS);
    assertThat(Fault.ofThick(new CacheException("?"), () -> true, () -> false).kind)
        .as("a node that is not running")
        .isEqualTo(Fault.Kind.FINAL);
  }

  @Test
  void anUnconfirmedCallPassesAndBlamesNoKey() {
    Throwable refused = partial(new NodeStoppingException("stops"), 1);
    Fault fault = read(new Fault.FoundException(Fault.Kind.PASSING, refused));
    assertThat(fault.kind).isEqualTo(Fault.Kind.PASSING);
    assertThat(fault.failedKeys).isEmpty();
  }

  @Test
  void causesThatNameOneAnotherAreReadOnce() {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);
    assertThat(Fault.chain(a)).containsExactly(a, b);
  }
}
