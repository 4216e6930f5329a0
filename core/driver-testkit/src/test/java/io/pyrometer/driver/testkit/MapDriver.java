package io.pyrometer.driver.testkit;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A map in the agent's own memory with two sound paths. The one that is {@link Faulty} has more
 * paths and servers, each with a fault that the contract must find.
 */
public class MapDriver implements GridDriver {
  private static final Guarantee KEPT = new Guarantee(true, true, true, true);

  private final boolean faulty;

  /** The sound one. */
  public MapDriver() {
    this(false);
  }

  private MapDriver(boolean faulty) {
    this.faulty = faulty;
  }

  /** The one with faults. */
  public static final class Faulty extends MapDriver {
    public Faulty() {
      super(true);
    }
  }

  @Override
  public DriverDescription describe() {
    List<PathDescription> paths =
        new ArrayList<>(
            List.of(
                path("put", Job.WRITE, Optional.of(KEPT)),
                path("get", Job.AGGREGATE, Optional.empty())));
    if (faulty) {
      paths.add(path("forgetful", Job.WRITE, Optional.of(KEPT)));
      paths.add(path("stale", Job.WRITE, Optional.of(KEPT)));
      paths.add(path("unclaimed", Job.WRITE, Optional.empty()));
      paths.add(path("miscounting", Job.AGGREGATE, Optional.empty()));
    }
    return new DriverDescription(
        faulty ? "faulty-map" : "map",
        "Map",
        "1",
        "A map.",
        faulty ? List.of("nodes") : List.of(),
        new ServerDescription(
            false,
            List.of("clients"),
            10,
            10,
            List.of(),
            ServerDescription.USUAL_FAIL_OVER_SECONDS,
            Optional.empty()),
        List.of(),
        List.of(),
        paths,
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }

  private static PathDescription path(String name, Job job, Optional<Guarantee> guarantee) {
    boolean plainest = name.equals("put") || name.equals("get");
    return new PathDescription(name, job, plainest, "A path.", guarantee, List.of());
  }

  /** Starts a server that other hosts can reach, and a process that nothing ends. */
  @Override
  public ServerLauncher servers() {
    return spec -> {
      try {
        Process unused = new ProcessBuilder("sleep", "25").start();
        return new Listening(
            new ServerSocket(spec.ports().get(0), 1, InetAddress.getByName("0.0.0.0")));
      } catch (IOException e) {
        throw new PortTakenException("The port is taken.", e);
      }
    };
  }

  private record Listening(ServerSocket socket) implements RunningServer {
    @Override
    public Optional<String> clientAddress() {
      return Optional.of("127.0.0.1:" + socket.getLocalPort());
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of("server.port", String.valueOf(socket.getLocalPort()));
    }

    @Override
    public void awaitServers(int servers, Duration timeout) {}

    @Override
    public void close() {}
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    if (faulty) {
      try {
        Files.createFile(Path.of("left-behind"));
      } catch (IOException e) {
        throw new GridException("There is no room for litter.", e);
      }
    }
    return new GridSession() {
      @Override
      public Map<String, String> configuration() {
        return Map.of();
      }

      @Override
      public TrialSession open(TrialSpec trial, Records records, boolean creator) {
        return new MapTrial(trial, records);
      }

      @Override
      public void close() {}
    };
  }

  private final class MapTrial implements TrialSession {
    private final Map<Long, Integer> map = new ConcurrentHashMap<>();
    private final TrialSpec trial;
    private final Records records;

    MapTrial(TrialSpec trial, Records records) {
      this.trial = trial;
      this.records = records;
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of("cluster.servers", "1");
    }

    @Override
    public void fill(long from, long to) {
      for (long key = from; key < to; key++) {
        map.put(key, (int) (key % records.size()));
      }
    }

    @Override
    public AccessPath path(LoadThread thread) {
      HighestFields highest = new HighestFields(records.shape(), trial.settings());
      return switch (trial.path()) {
        case "get" ->
            FunctionPath.reading("get", 1, highest::take, call -> see(highest, call.key(0)));
        case "miscounting" ->
            FunctionPath.reading(
                "miscounting",
                1,
                highest::take,
                call -> {
                  if (call.key(0) != 7) {
                    see(highest, call.key(0));
                  }
                });
        default -> FunctionPath.writing(trial.path(), 1, call -> put(call.key(0), call.record(0)));
      };
    }

    private void see(HighestFields highest, long key) {
      highest.see(records.fields(map.get(key)));
    }

    private void put(long key, int record) {
      if (trial.path().equals("stale")) {
        map.putIfAbsent(key, record);
      } else if (!trial.path().equals("forgetful") || key % 97 != 5) {
        map.put(key, record);
      }
    }

    @Override
    public ContentDigest digest() {
      return contents().digest();
    }

    @Override
    public ScannedContents contents() {
      return new ScannedContents(
          records,
          visitor -> map.forEach((key, record) -> visitor.visit(key, records.fields(record))),
          key -> Optional.ofNullable(map.get(key)).map(records::fields));
    }

    @Override
    public void destroy() {
      map.clear();
    }

    @Override
    public void close() {}
  }
}
