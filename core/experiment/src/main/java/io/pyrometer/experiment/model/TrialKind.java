package io.pyrometer.experiment.model;

import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A kind of trial as experiment files and plans see it. Load trials are the kind of the core; a
 * plugin adds another one, and with it one {@link Job}, by up to four classes that {@link
 * java.util.ServiceLoader} finds. Each implements an interface of the module that calls it:
 *
 * <table>
 * <caption>The interfaces of a kind</caption>
 * <tr><th>interface</th><th>module</th><th>declares</th></tr>
 * <tr><td>{@code TrialKind}</td><td>experiment</td>
 *   <td>the key in files, the settings that it uses, its planned time</td></tr>
 * <tr><td>{@code KindRunner}</td><td>coordinator</td>
 *   <td>how a trial is run, and with which processes</td></tr>
 * <tr><td>{@code TrialCommands}</td><td>driver-api</td>
 *   <td>the commands that its workers execute</td></tr>
 * <tr><td>{@code KindReport}</td><td>results</td>
 *   <td>headings, labels and what is ranked</td></tr>
 * </table>
 *
 * <p>Its analyses are declared like all others ({@link AnalysisDeclaration}).
 */
public interface TrialKind {

  /** The job of the access paths of this kind. */
  Job job();

  /** The key of experiment files that names a path of this kind; {@code path} names any path. */
  String key();

  /** The meaning of {@link #key}, for the schema of files. */
  String description();

  /** The values that {@link #key} may have; empty where it may also have others than paths. */
  default List<String> names() {
    return List.of();
  }

  /** The name of one of the kind's paths after {@link #key}. */
  default String name(String path) {
    return path;
  }

  /**
   * The settings that a value of {@link #key} stands for which is not the name of a path.
   *
   * @param paths of this kind that the drivers have
   */
  default Optional<Settings> settings(String value, Collection<String> paths) {
    return Optional.empty();
  }

  /** The record of a trial where the file describes none, as it need not for this kind. */
  RecordShape record();

  /**
   * Checks whether a setting of the core has an effect on trials whose path does not declare it.
   */
  default boolean uses(String coreSetting) {
    return true;
  }

  /** Complete settings of a trial, with those that follow from others. */
  default Settings derive(Settings complete) {
    return complete;
  }

  /**
   * Why a trial with these settings cannot be made, a clause with what to do; empty if it can.
   *
   * @param namespaces whether its hosts are namespaces
   */
  default Optional<String> obstacle(Settings settings, boolean namespaces) {
    return Optional.empty();
  }

  /**
   * The need of a trial with these settings that this machine lacks, one sentence with what to do;
   * empty if it lacks nothing.
   */
  default Optional<String> missing(Settings settings) {
    return Optional.empty();
  }

  /**
   * The command prefix with which a server is started on this machine.
   *
   * @param process settings of the processes
   * @param workFolder the server's
   */
  default List<String> beforeServer(Settings process, String workFolder) {
    return List.of();
  }

  double seconds(TrialSpec trial);

  /**
   * The estimated seconds to start the processes.
   *
   * @param usual seconds of load trials with the same servers
   */
  default double startSeconds(Settings process, double usual) {
    return usual;
  }

  /**
   * Checks whether an agent opens a session on the grid.
   *
   * @param settings of the processes and of a trial
   */
  default boolean usesGrid(int agent, Settings settings) {
    return true;
  }

  /**
   * A folder of the distribution whose jars are added to the class path of agents; such agents run
   * on this machine only.
   */
  default Optional<String> libraries() {
    return Optional.empty();
  }

  /** Bytes of the heap of the JVM that each agent starts itself; 0 if it starts none. */
  default long heapOfStartedJvm(Settings settings) {
    return 0;
  }
}
