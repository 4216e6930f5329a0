package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.driver.ServerLauncher;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.SettingDescription;
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
            path(PUT, Job.WRITE, true, "One store into an array per call.", List.of()),
            path(
                PUT_ASYNC,
                Job.WRITE,
                false,
                "The same, completed by another thread.",
                List.of(PathSettings.inFlight(400))),
            path(
                STUCK,
                Job.WRITE,
                false,
                "A call that never completes, to test hanging paths.",
                List.of()),
            path(GET, Job.AGGREGATE, true, "One load from an array per call.", List.of()),
            path(SCAN, Job.AGGREGATE, false, "The whole array per call.", List.of())));
  }

  private static PathDescription path(
      String name, Job job, boolean plainest, String summary, List<SettingDescription> settings) {
    Optional<Guarantee> guarantee = job == Job.WRITE ? Optional.of(KEPT) : Optional.empty();
    return new PathDescription(name, job, plainest, summary, guarantee, settings);
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
