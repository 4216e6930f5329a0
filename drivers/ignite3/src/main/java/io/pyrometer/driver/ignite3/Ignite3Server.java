package io.pyrometer.driver.ignite3;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.IgniteServer;
import org.apache.ignite.InitParameters;
import org.apache.ignite.internal.properties.IgniteProductVersion;

/** A server in this JVM; the first one makes the cluster when all are up. */
record Ignite3Server(
    IgniteServer server,
    CompletableFuture<Void> initialised,
    boolean makesCluster,
    String clients,
    String rest,
    Set<String> properties)
    implements RunningServer {

  /** Held, so that the level stays. */
  private static final Logger LOG = Logger.getLogger("org.apache.ignite");

  private static final String CONFIGURATION =
      """
      ignite {
        network { port: %s, listenAddresses: ["%s"],
          nodeFinder { type: STATIC, netClusterNodes: [%s] } }
        clientConnector { port: %s, listenAddresses: ["%s"] }
        rest { port: %s }
        failureHandler.handler.type: stopOrHalt
      }
      """;
  private static final Duration ANSWER = Duration.ofSeconds(30);

  private static final long INITIAL_BYTES = 64L << 20;

  /** Comes back as soon as the server waits for the cluster to be made. */
  static RunningServer start(Command.StartServer spec) {
    LOG.setLevel(Level.WARNING);
    Settings settings = spec.settings();
    String address = spec.peers().get(spec.index());
    String host = Address.host(address);
    // Otherwise the REST endpoint listens beyond loopback.
    System.setProperty("micronaut.server.host", host);
    String config =
        CONFIGURATION.formatted(
            spec.ports().get(0),
            host,
            spec.peers().stream().map(peer -> '"' + peer + '"').collect(Collectors.joining(", ")),
            spec.ports().get(1),
            host,
            spec.ports().get(2));
    try {
      Path folder = Files.createDirectories(Path.of(spec.workFolder()));
      Path file =
          Files.writeString(folder.resolve("ignite3.conf"), config + configuration(settings));
      // A server that comes back has the state of the cluster.
      boolean first = spec.index() == 0 && !Files.exists(folder.resolve("data"));
      IgniteServer server = IgniteServer.start(name(spec.index()), file, folder.resolve("data"));
      return new Ignite3Server(
          server,
          server.waitForInitAsync(),
          first,
          host + ":" + spec.ports().get(1),
          host + ":" + spec.ports().get(2),
          settings.properties().keySet());
    } catch (IOException | RuntimeException failure) {
      String why = GridException.cause(failure);
      throw why.contains("already in use") || why.contains("Port was not bound")
          ? new PortTakenException(why, failure)
          : new GridException(
              "The Ignite 3 server did not start: " + GridException.withProperties(why, settings),
              failure);
    }
  }

  /** The storage profile of tables and the options given, as lines of a node's configuration. */
  static String configuration(Settings complete) {
    String engine = complete.get(Ignite3Driver.ENGINE);
    long region = complete.get(Ignite3Driver.REGION);
    String size =
        engine.equals(Ignite3Driver.IN_MEMORY)
            ? "initSizeBytes: %d, maxSizeBytes: %d"
                .formatted(Math.min(INITIAL_BYTES, region), region)
            : "sizeBytes: " + region;
    StringBuilder lines =
        new StringBuilder(
            "ignite.storage.profiles: [{name: default, engine: %s, %s}]\nignite.raft.fsync: %s\n"
                .formatted(engine, size, complete.get(Ignite3Driver.FSYNC)));
    complete.properties().forEach((name, value) -> lines.append("%s: %s\n".formatted(name, value)));
    return lines.toString();
  }

  private static String name(int index) {
    return "server-" + index;
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(clients);
  }

  @Override
  public Map<String, String> configuration() {
    JsonNode node = read();
    Map<String, String> facts = new TreeMap<>();
    for (String name : properties) {
      JsonNode value = node.at("/" + name.replace('.', '/'));
      if (!value.isMissingNode()) {
        facts.put("properties." + name, value.asText());
      }
    }
    facts.put("server.raft-fsync", node.at("/ignite/raft/fsync").asText());
    facts.put("server.version", IgniteProductVersion.CURRENT_VERSION.toString());
    facts.put("server.max-heap-bytes", String.valueOf(Runtime.getRuntime().maxMemory()));
    return facts;
  }

  /** The configuration of the running node. */
  private JsonNode read() {
    URI address = URI.create("http://" + rest + "/management/v1/configuration/node");
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(address).timeout(ANSWER).build(),
                  HttpResponse.BodyHandlers.ofString());
      return Json.LINES.readTree(answer.body());
    } catch (IOException e) {
      throw new GridException("The Ignite 3 server did not tell its configuration: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("Reading the configuration back was interrupted.", e);
    }
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    try {
      if (makesCluster) {
        List<String> names = IntStream.range(0, servers).mapToObj(Ignite3Server::name).toList();
        server.initCluster(
            InitParameters.builder()
                .metaStorageNodeNames(names)
                .cmgNodeNames(names)
                .clusterName("pyrometer")
                .build());
      }
      initialised.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw GridException.of(
          "The Ignite 3 server for %s was not part of a cluster after %d s.",
          clients, timeout.toSeconds(), e);
    } catch (ExecutionException | RuntimeException e) {
      throw new GridException(
          "The Ignite 3 cluster could not be made: " + GridException.cause(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The start of the Ignite 3 cluster was interrupted.", e);
    }
  }

  @Override
  public void close() {
    server.shutdown();
  }
}
