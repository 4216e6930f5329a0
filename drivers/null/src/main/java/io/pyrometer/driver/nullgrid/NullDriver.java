package io.pyrometer.driver.nullgrid;

import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The driver 'null'. */
public final class NullDriver implements GridDriver {

  static final String PUT = "put";
  static final String PUT_ASYNC = "put-async";
  static final String STUCK = "stuck";
  static final String GET = "get";
  static final String SCAN = "scan";

  private static final Guarantee KEPT = new Guarantee(true, true, false, false);

  @Override
  public DriverDescription describe() {
    return new DriverDescription(
        "null",
        "no grid",
        "1",
        "Arrays in the agent's own process, to measure the load generator itself.",
        List.of(),
        ServerDescription.NO_PORTS,
        List.of(),
        List.of(),
        List.of(
            write(PUT, KEPT, "One store into an array per call.").asPlainest(),
            write(
                PUT_ASYNC,
                KEPT,
                "The same, completed by another thread.",
                PathSettings.IN_FLIGHT.withDefault(400)),
            write(STUCK, KEPT, "A call that never completes, to test hanging paths."),
            read(GET, "One load from an array per call.").asPlainest(),
            read(SCAN, "The whole array per call.")),
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }

  @Override
  public ServerLauncher servers() {
    return spec -> new NoServer();
  }

  @Override
  public GridSession openSession(Command.OpenSession spec) {
    return new NoSession();
  }

  private record NoServer() implements RunningServer {
    @Override
    public Optional<String> clientAddress() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public void awaitServers(int servers, Duration timeout) {}

    @Override
    public void close() {}
  }

  private record NoSession() implements GridSession {
    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public TrialSession open(TrialSpec trial, Records records, boolean creator) {
      return new ArrayTrial(trial, records);
    }

    @Override
    public void close() {}
  }
}
