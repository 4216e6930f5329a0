package io.pyrometer.driver.infinispan;

import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.infinispan.commons.configuration.attributes.AttributeDefinition;
import org.infinispan.commons.util.TimeQuantity;
import org.infinispan.configuration.cache.ClusteringConfiguration;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.LockingConfiguration;
import org.infinispan.configuration.cache.MemoryConfiguration;
import org.infinispan.configuration.cache.PartitionHandlingConfiguration;
import org.infinispan.configuration.cache.StateTransferConfiguration;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ThreadPoolConfiguration;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.factories.KnownComponentNames;
import org.infinispan.factories.threads.AbstractThreadPoolExecutorFactory;
import org.infinispan.factories.threads.EnhancedQueueExecutorFactory;
import org.infinispan.factories.threads.NonBlockingThreadPoolExecutorFactory;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.remoting.transport.Transport;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.server.core.configuration.ProtocolServerConfiguration;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;
import org.jgroups.protocols.Bundler;
import org.jgroups.protocols.NoBundler;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.protocols.UFC;
import org.jgroups.stack.ProtocolStack;

/**
 * Settings that are attributes of Infinispan's configuration, each named as in its XML or JSON.
 * Those without a default of their own are Infinispan's if absent.
 */
final class InfinispanSettings {
  static final String GUARANTEES = "guarantees";
  static final String CACHES = "caches";
  static final String NETWORK = "network";

  private static final String POOLS = "pools";
  private static final String LOCKS = "locks";
  private static final String REBALANCING = "rebalancing";
  private static final String TWICE_THE_CPUS = "max(1, CPUs * 2)";
  private static final double MILLIS = 1e3;

  static final SettingKey<String> MODE =
      SettingKey.choice("mode", Scope.CACHE, "SYNC", "ASYNC")
          .meaning("Whether a write waits for the servers that own the record.")
          .tunable(GUARANTEES, "mode");
  static final SettingKey<Boolean> STATISTICS =
      SettingKey.flag("cache-statistics", Scope.CACHE, false)
          .meaning("Whether the cache counts and times its operations.")
          .tunable(CACHES, "statistics", "off", "on");

  /** Attributes of a cache that have no default of Pyrometer's. */
  private static final List<SettingDescription> OF_CACHES =
      SettingKey.descriptions(
          SettingKey.choice("storage", Scope.CACHE, "HEAP", "OFF_HEAP")
              .meaning("Where a server keeps keys and values.")
              .ofProduct(
                  CACHES, "memory.storage", own(MemoryConfiguration.STORAGE), "HEAP", "OFF_HEAP"),
          SettingKey.flag("lock-striping", Scope.CACHE, false)
              .meaning("Whether records share a fixed number of locks.")
              .ofProduct(
                  LOCKS,
                  "locking.striping",
                  Boolean.parseBoolean(own(LockingConfiguration.USE_LOCK_STRIPING)) ? "on" : "off",
                  "off",
                  "on"),
          seconds(
              "lock-timeout",
              "How long a write waits for the lock of its record before it fails.",
              LOCKS,
              "locking.acquire-timeout",
              LockingConfiguration.LOCK_ACQUISITION_TIMEOUT),
          seconds(
              "remote-timeout",
              "How long a server waits for others before a call fails.",
              NETWORK,
              "remote-timeout",
              ClusteringConfiguration.REMOTE_TIMEOUT),
          SettingKey.integer("state-transfer-chunk", Scope.CACHE, 1, 1, 1_000_000)
              .meaning("Records of a message that moves segments.")
              .ofProduct(
                  REBALANCING,
                  "state-transfer.chunk-size",
                  own(StateTransferConfiguration.CHUNK_SIZE),
                  "128",
                  "512",
                  "4096"),
          SettingKey.choice(
                  "when-split", Scope.CACHE, "ALLOW_READ_WRITES", "ALLOW_READS", "DENY_READ_WRITES")
              .meaning("What the parts of a cluster allow whose network is partitioned.")
              .ofProduct(
                  GUARANTEES,
                  "partition-handling.when-split",
                  own(PartitionHandlingConfiguration.WHEN_SPLIT)));

  private static final SettingKey<Integer> NON_BLOCKING_THREADS =
      threads("non-blocking-threads", "Threads that process messages and must not block.")
          .ofProduct(POOLS, "non-blocking-thread-pool", TWICE_THE_CPUS, "1", "2", "4", "8");
  private static final SettingKey<Integer> BLOCKING_THREADS =
      threads("blocking-threads", "Threads for operations that may block, at most.")
          .ofProduct(
              POOLS,
              "blocking-thread-pool",
              String.valueOf(
                  KnownComponentNames.getDefaultThreads(KnownComponentNames.BLOCKING_EXECUTOR)),
              "8",
              "32",
              "150");
  private static final SettingKey<Integer> ENDPOINT_THREADS =
      threads("endpoint-threads", "Threads that serve the connections of Hot Rod clients.")
          .ofProduct(POOLS, "hotrod-connector.io-threads", TWICE_THE_CPUS, "1", "2", "4", "8");
  private static final SettingKey<Long> SEND_BUFFER =
      buffer(
          "socket-send-buffer",
          "Send buffer of a connection of a Hot Rod client; 0 as the system chooses.",
          "hotrod-connector.send-buffer-size",
          ProtocolServerConfiguration.SEND_BUF_SIZE);
  private static final SettingKey<Long> RECEIVE_BUFFER =
      buffer(
          "socket-receive-buffer",
          "Receive buffer of such a connection; 0 as the system chooses.",
          "hotrod-connector.receive-buffer-size",
          ProtocolServerConfiguration.RECV_BUF_SIZE);

  /** Of JGroups, with the values of Infinispan's own stack for TCP. */
  static final SettingKey<String> BUNDLER =
      SettingKey.choice("bundler", Scope.PROCESS, "transfer-queue", "per-destination", "no-bundler")
          .meaning("How messages between servers are put together to larger ones.")
          .ofServers()
          .tunable(NETWORK, "TCP.bundler_type", "transfer-queue", "per-destination", "no-bundler");

  static final SettingKey<Integer> BUNDLE_SIZE =
      SettingKey.integer("bundle-size", Scope.PROCESS, 64_000, 1_000, 10_000_000)
          .meaning("Bytes of such a larger message, at most.")
          .ofServers()
          .tunable(NETWORK, "TCP.bundler.max_size", "16000", "64000", "256000");
  static final SettingKey<Integer> CREDITS =
      SettingKey.integer("flow-control-credits", Scope.PROCESS, 4_000_000, 10_000, 1_000_000_000)
          .meaning("Bytes that a server sends to another one before it waits for new credits.")
          .ofServers()
          .tunable(NETWORK, "UFC.max_credits", "1000000", "4000000", "16000000");

  private static final Map<Class<?>, String> BUNDLERS =
      Map.of(
          TransferQueueBundler.class, "transfer-queue",
          PerDestinationBundler.class, "per-destination",
          NoBundler.class, "no-bundler");

  static final List<SettingDescription> ALL =
      Stream.concat(
              SettingKey.descriptions(MODE, STATISTICS).stream(),
              Stream.concat(
                  OF_CACHES.stream(),
                  SettingKey.descriptions(
                      NON_BLOCKING_THREADS,
                      BLOCKING_THREADS,
                      ENDPOINT_THREADS,
                      SEND_BUFFER,
                      RECEIVE_BUFFER,
                      BUNDLER,
                      BUNDLE_SIZE,
                      CREDITS)
                      .stream()))
          .toList();

  private InfinispanSettings() {}

  private static String own(AttributeDefinition<?> attribute) {
    return String.valueOf(attribute.getDefaultValue());
  }

  private static SettingKey<Integer> threads(String name, String text) {
    return SettingKey.integer(name, Scope.PROCESS, 1, 1, 1_024).meaning(text).ofServers();
  }

  private static SettingKey<Long> buffer(
      String name, String text, String property, AttributeDefinition<Integer> attribute) {
    return SettingKey.bytes(name, Scope.PROCESS, 0, 0, 1e9)
        .meaning(text)
        .ofServers()
        .ofProduct(NETWORK, property, own(attribute), "0", "32k", "256k", "1m");
  }

  private static SettingKey<Double> seconds(
      String name,
      String text,
      String group,
      String property,
      AttributeDefinition<TimeQuantity> attribute) {
    String initial = attribute.getDefaultValue().longValue() / 1_000 + "s";
    return SettingKey.seconds(name, Scope.CACHE, 0, 0.001, 3_600)
        .meaning(text)
        .ofProduct(MILLIS, group, property, initial);
  }

  /** The attributes of a cache by their names, those of its elements in maps of their own. */
  static Map<String, Object> ofCache(Settings settings) {
    Map<String, Object> cache = new TreeMap<>();
    cache.put("mode", settings.get(MODE));
    cache.put("statistics", settings.get(STATISTICS));
    SettingDescription.productValues(OF_CACHES, settings)
        .forEach(
            (name, value) -> {
              String[] path = name.split("\\.", 2);
              if (path.length == 1) {
                cache.put(name, value);
              } else {
                cache.merge(path[0], Map.of(path[1], value), InfinispanSettings::both);
              }
            });
    return cache;
  }

  private static Object both(Object one, Object other) {
    Map<Object, Object> both = new TreeMap<>((Map<?, ?>) one);
    both.putAll((Map<?, ?>) other);
    return both;
  }

  static void apply(Settings settings, GlobalConfigurationBuilder global) {
    if (settings.has(NON_BLOCKING_THREADS)) {
      global
          .nonBlockingThreadPool()
          .threadPoolFactory(
              NonBlockingThreadPoolExecutorFactory.create(
                  settings.get(NON_BLOCKING_THREADS),
                  KnownComponentNames.getDefaultQueueSize(
                      KnownComponentNames.NON_BLOCKING_EXECUTOR)));
    }
    if (settings.has(BLOCKING_THREADS)) {
      global
          .blockingThreadPool()
          .threadPoolFactory(
              EnhancedQueueExecutorFactory.create(
                  settings.get(BLOCKING_THREADS),
                  KnownComponentNames.getDefaultQueueSize(KnownComponentNames.BLOCKING_EXECUTOR)));
    }
  }

  static void apply(Settings settings, HotRodServerConfigurationBuilder endpoint) {
    if (settings.has(ENDPOINT_THREADS)) {
      endpoint.ioThreads(settings.get(ENDPOINT_THREADS));
    }
    if (settings.has(SEND_BUFFER)) {
      endpoint.sendBufSize(Math.toIntExact(settings.get(SEND_BUFFER)));
    }
    if (settings.has(RECEIVE_BUFFER)) {
      endpoint.recvBufSize(Math.toIntExact(settings.get(RECEIVE_BUFFER)));
    }
  }

  /** What is in effect on a server, as its pools, its channel and its endpoint say. */
  static Map<String, String> facts(DefaultCacheManager server, HotRodServer endpoint) {
    Map<String, Object> facts = new TreeMap<>();
    GlobalConfiguration global = server.getCacheManagerConfiguration();
    facts.put(
        "non-blocking-threads",
        most(global.nonBlockingThreadPool(), KnownComponentNames.NON_BLOCKING_EXECUTOR));
    facts.put(
        "blocking-threads",
        most(global.blockingThreadPool(), KnownComponentNames.BLOCKING_EXECUTOR));
    facts.put("endpoint-threads", endpoint.getConfiguration().ioThreads());
    facts.put("socket-send-buffer", endpoint.getConfiguration().sendBufSize());
    facts.put("socket-receive-buffer", endpoint.getConfiguration().recvBufSize());
    if (GlobalComponentRegistry.componentOf(server, Transport.class)
        instanceof JGroupsTransport transport) {
      ProtocolStack stack = transport.getChannel().getProtocolStack();
      Bundler bundler = stack.getTransport().getBundler();
      facts.put("bundler", BUNDLERS.getOrDefault(bundler.getClass(), bundler.getClass().getName()));
      facts.put("bundle-size", bundler.getMaxSize());
      facts.put("flow-control-credits", stack.<UFC>findProtocol(UFC.class).getMaxCredits());
    }
    return named(facts);
  }

  private static int most(ThreadPoolConfiguration pool, String name) {
    return pool.threadPoolFactory() instanceof AbstractThreadPoolExecutorFactory<?> given
        ? given.maxThreads()
        : KnownComponentNames.getDefaultThreads(name);
  }

  /** What a running cache has. */
  static Map<String, String> facts(Configuration cache) {
    Map<String, Object> facts = new TreeMap<>();
    facts.put("mode", cache.clustering().cacheMode().isSynchronous() ? "SYNC" : "ASYNC");
    facts.put("cache-statistics", cache.statistics().enabled());
    facts.put("storage", cache.memory().storage());
    facts.put("lock-striping", cache.locking().useLockStriping());
    facts.put("lock-timeout", cache.locking().lockAcquisitionTimeout() / MILLIS);
    facts.put("remote-timeout", cache.clustering().remoteTimeout() / MILLIS);
    facts.put("state-transfer-chunk", cache.clustering().stateTransfer().chunkSize());
    facts.put("when-split", cache.clustering().partitionHandling().whenSplit());
    return named(facts);
  }

  private static Map<String, String> named(Map<String, Object> facts) {
    Map<String, String> named = new TreeMap<>();
    facts.forEach((name, value) -> named.put("setting." + name, value.toString()));
    return named;
  }
}
