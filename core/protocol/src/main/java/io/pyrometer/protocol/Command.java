package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A command from the coordinator to a worker, one JSON message per line of its standard input. Each
 * is answered by one {@link Answer}. The end of the input is the end of the process.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Command {

  /**
   * Reserve free ports for the server, instead of those reserved before. Answer: {@link
   * Answer.Ports}.
   *
   * @param address of the worker's host at which others reach it
   */
  record ReservePorts(int count, String address) implements Command {}

  /**
   * Become server {@code index} of {@code servers}. Answer: {@link Answer.Started}, once the server
   * is up (others may still be joining), or {@link Answer.PortTaken}.
   *
   * @param ports this server's own ports, as reserved, in the order of {@link
   *     ServerDescription#ports}
   * @param peers host:port of every server's first port
   * @param config the user's own configuration file
   * @param workFolder where the server may write
   */
  record StartServer(
      int index,
      int servers,
      List<Integer> ports,
      List<String> peers,
      Optional<String> config,
      String workFolder,
      Settings settings)
      implements Command {}

  /** Wait until so many servers form one grid. Answer: {@link Answer.Done}. */
  record AwaitServers(int servers, double timeoutSeconds) implements Command {}

  /**
   * Become agent {@code index} of {@code agents}. Answer: {@link Answer.Started}.
   *
   * @param peers host:port of the servers' first ports, or of the running grid to attach to
   * @param clientAddresses host:port where the servers said that clients connect
   */
  record OpenSession(
      int index,
      int agents,
      List<String> peers,
      List<String> clientAddresses,
      Optional<String> config,
      boolean attached,
      String workFolder,
      Settings settings)
      implements Command {}

  /**
   * Load the classes of the user that trials name, so that one that is missing is told before any
   * of them begins. Needs no session. Answer: {@link Answer.Done}.
   */
  record LoadClasses(List<TrialSpec> trials) implements Command {}

  /**
   * Become a relay before these addresses. Answer: {@link Answer.Ports}, one for each.
   *
   * @param targets host:port where clients of the servers connect
   */
  record StartRelay(List<String> targets) implements Command {}

  /**
   * Become a switch between hosts. Answer: {@link Answer.Done}, once its devices are there to be
   * moved to the hosts.
   *
   * @param devices names of the TAP devices to make, one for each host
   */
  record StartSwitch(List<String> devices) implements Command {}

  /**
   * Change the treatment of connections made from now on by a relay, or of frames by a switch.
   * Answer: {@link Answer.Done}.
   *
   * @param link of a switch, in the order of its devices; empty for all
   */
  record SetShape(Shape shape, OptionalInt link) implements Command {}

  /**
   * Set a trial up: the creator makes the fresh cache and fills it where the job reads. The creator
   * is told first and alone. A trial that was not torn down leaves its cache to the next TearDown.
   * Answer: {@link Answer.Prepared}.
   *
   * @param relays host:port of the relays that the trial's clients go through; empty for none
   */
  record Prepare(TrialSpec trial, boolean creator, List<String> relays) implements Command {}

  /**
   * Begin to load, as warm-up. Answer: {@link Answer.Done} at once; {@link Answer.Sample}s follow
   * until Finish.
   */
  record Begin() implements Command {}

  /** Begin to count. Answer: {@link Answer.Done} at once. */
  record Measure() implements Command {}

  /**
   * Execute a command at an instant, so that several processes do at the same time; at once if the
   * instant has passed. Answer: {@link Answer.Begun}, after the answer of the command.
   *
   * @param epochMicros the instant by the wall clock of the worker's host, since 1970
   */
  record Scheduled(long epochMicros, Command command) implements Command {}

  /**
   * Stop counting, stop loading, wait for what is in flight. Answer: {@link Answer.Finished}; or
   * {@link Answer.Done} of a process that does not load, once it has nothing left to do.
   */
  record Finish() implements Command {}

  /**
   * Say what the trial should have left behind; the creator also reads back what is there. Answer:
   * {@link Answer.Verified}.
   */
  record Verify() implements Command {}

  /** Forget the trial; the creator also destroys its caches. Answer: {@link Answer.Done}. */
  record TearDown() implements Command {}

  /**
   * Set a guarantee probe up on a fresh cache and begin to write, as the trial's access path does;
   * told to one agent alone. Answer: {@link Answer.Done} at once; {@link Answer.Sample}s follow.
   *
   * @param trial its {@code records} are the keys that are written
   * @param seconds the longest time to write
   */
  record BeginProbe(ProbeKind kind, TrialSpec trial, double seconds) implements Command {}

  /**
   * Wait for the end of the probe's writing, read back what is there, remove the cache. Answer:
   * {@link Answer.Probed}.
   */
  record EndProbe() implements Command {}

  /**
   * A command of a kind of trial that a plugin adds. Answer: {@link Answer.OfKind}, or {@link
   * Answer.Done} if there is nothing to say.
   *
   * @param kind the id of the kind's job
   * @param name of the command, unique in the kind
   * @param content of a type that the kind alone knows
   */
  record OfKind(String kind, String name, JsonNode content) implements Command {

    /** A command whose content is written as JSON. */
    public static OfKind of(Job kind, String name, Object content) {
      return new OfKind(kind.id(), name, Json.LINES.valueToTree(content));
    }

    public boolean is(Job job, String command) {
      return kind.equals(job.id()) && name.equals(command);
    }

    /**
     * The content as what it was written from.
     *
     * @throws IllegalArgumentException if it is none
     */
    public <T> T as(Class<T> type) {
      return Json.LINES.convertValue(content, type);
    }
  }

  /** Answer: {@link Answer.Used}. */
  record Usage() implements Command {}

  /**
   * Look at some records of a cache that is in the grid already, in an open session. Answer: {@link
   * Answer.CacheSampled}.
   *
   * @param records how many to look at, at most
   */
  record SampleCache(String cache, int records) implements Command {}

  /**
   * Read the workload from a folder of the product's statistics; needs no session. Answer: {@link
   * Answer.WorkloadSampled}.
   *
   * @param records that the experiment writes
   */
  record SampleStatistics(String folder, long records) implements Command {}

  /**
   * Describe the grid of the open session. Nothing is changed. Answer: {@link
   * Answer.GridDescribed}.
   *
   * @param caches that the run reads, so that some of their records are read for their size
   * @param paths of the run, whose clients are to be able to connect
   */
  record DescribeGrid(List<String> caches, List<String> paths) implements Command {}

  /**
   * Look for faults: in the grid of the open session, or in a configuration file, which needs no
   * session. Nothing is changed. Answer: {@link Answer.Examined}.
   *
   * @param config the file, or a folder of the product's statistics; empty for the grid
   * @param seconds how long to observe the grid
   * @param statistics a new folder for statistics that the grid records of itself meanwhile, which
   *     are examined; empty to record none
   */
  record Examine(Optional<String> config, double seconds, Optional<String> statistics)
      implements Command {}

  /**
   * Refuse trials whose records do not fit into the servers of a grid that goes on, in an open
   * session. Answer: {@link Answer.Done}.
   */
  record CheckRoom(List<TrialSpec> trials) implements Command {}

  /** Count the servers that form the grid, in an open session. Answer: {@link Answer.Servers}. */
  record CountServers() implements Command {}

  /** Collect the garbage of the server's heap. Answer: {@link Answer.LiveHeap}. */
  record CollectGarbage() implements Command {}

  /**
   * The CPU time used so far, which costs about a millisecond to read. Answer: {@link Answer.Cpu}.
   */
  record ReadCpu() implements Command {}

  /**
   * Make the recorder of a telemetry device ready to start without delay; told once the trial is
   * prepared, before it begins to load. Answer: {@link Answer.RecordingPrepared}.
   *
   * @param folder where the recorder may write on the worker's host; made if it is absent
   * @param options of the device, by name
   */
  record PrepareRecording(String device, String folder, Map<String, String> options)
      implements Command {}

  /** Start a recorder that is prepared. Answer: {@link Answer.Done}. */
  record StartRecording(String device) implements Command {}

  /** Stop a recorder and release what it holds. Answer: {@link Answer.Recorded}. */
  record StopRecording(String device) implements Command {}

  /**
   * Read a part of a file on the worker's host. Answer: {@link Answer.FilePart}.
   *
   * @param offset of the first byte
   * @param bytes the most to read, at most {@value #MOST_FILE_BYTES}
   */
  record FetchFile(String file, long offset, int bytes) implements Command {
    /** So that one line stays small beside the memory of either side. */
    public static final int MOST_FILE_BYTES = 1 << 20;
  }

  /**
   * Look for what the servers of a grid that goes on tell of themselves; told once to one agent.
   * Answer: {@link Answer.Watching}.
   */
  record WatchServers() implements Command {}

  /**
   * A command to a server that is watched: {@link Usage}, or one of telemetry. Answer: as of the
   * command.
   *
   * @param server its index among those that are watched
   */
  record OfServer(int server, Command command) implements Command {}

  /** Close what is open and exit. Answer: {@link Answer.Done}, then the end of the process. */
  record Stop() implements Command {}
}
