package io.pyrometer.driver.testkit;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.JvmServer;
import io.pyrometer.driver.MapTrial;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RecordBytes;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Command;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
  public RunningServer start(Command.StartServer spec) {
    try {
      Process unused = new ProcessBuilder("sleep", "25").start();
      ServerSocket socket =
          new ServerSocket(spec.ports().get(0), 1, InetAddress.getByName("0.0.0.0"));
      return new JvmServer(
          Optional.of("127.0.0.1:" + socket.getLocalPort()),
          () -> Map.of("server.port", String.valueOf(socket.getLocalPort())),
          () -> 1,
          servers -> true,
          () -> {});
    } catch (IOException e) {
      throw new PortTakenException("The port is taken.", e);
    }
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
    return (trial, records, creator) -> new Trial(trial, records);
  }

  private static final class Trial extends MapTrial<Long, byte[]> {
    private final Map<Long, byte[]> map = new ConcurrentHashMap<>();

    Trial(TrialSpec trial, Records records) {
      super(trial, records, 1_000, Long::valueOf, new RecordBytes(records));
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of("cluster.servers", "1");
    }

    @Override
    public AccessPath path(LoadThread thread) {
      return switch (path) {
        case "get" -> get(map::get);
        case "miscounting" -> get(key -> key == 7 ? null : map.get(key));
        case "stale" -> put(map::putIfAbsent);
        case "forgetful" ->
            put(
                (key, value) -> {
                  if (key % 97 != 5) {
                    map.put(key, value);
                  }
                });
        default -> put(map::put);
      };
    }

    @Override
    protected byte @Nullable [] read(Long key) {
      return map.get(key);
    }

    @Override
    protected void load(Map<Long, byte[]> batch) {
      map.putAll(batch);
    }

    @Override
    protected void scan(StoredContents.RecordVisitor visitor) {
      map.forEach((key, value) -> visitor.visit(key, form.fields(value)));
    }

    @Override
    public void destroy() {
      map.clear();
    }
  }
}
