package io.pyrometer.worker.recorders;

import io.pyrometer.driver.JvmBeans;
import io.pyrometer.protocol.GridActivity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/**
 * When compiled code of this JVM met a case that it was not compiled for (an uncommon trap), and
 * its thread went on in the interpreter: the event {@value #EVENT} of Java Flight Recorder. JDK 17
 * has no log of it.
 */
final class Deoptimisations implements AutoCloseable {
  private static final String EVENT = "jdk.Deoptimization";

  private final Recording recording = new Recording();
  private final Path file;

  private Deoptimisations(Path file) {
    this.file = file;
    recording.setName("pyrometer-deoptimisations");
    recording.enable(EVENT).withoutStackTrace();
  }

  /**
   * The first recording of a JVM takes a fifth of a second, which is spent here.
   *
   * @return empty where the JVM has no Flight Recorder
   */
  static Optional<Deoptimisations> prepare(Path folder) {
    if (!FlightRecorder.isAvailable()) {
      return Optional.empty();
    }
    initialize(folder);
    Path file = folder.resolve("deoptimisations.jfr");
    try (Deoptimisations first = new Deoptimisations(file)) {
      first.start();
    }
    return Optional.of(new Deoptimisations(file));
  }

  /**
   * Makes the JVM keep its recordings in a folder that Pyrometer removes: by default they are in
   * that for temporary files, where a JVM that is killed leaves them.
   */
  private static void initialize(Path folder) {
    try {
      if (!FlightRecorder.isInitialized()) {
        String unused =
            JvmBeans.OWN.command("jfrConfigure", "repositorypath=\"%s\"".formatted(folder));
      }
    } catch (JMException | IOException unsupported) {
      // Recordings are kept in the default folder.
    }
    FlightRecorder unused = FlightRecorder.getFlightRecorder();
  }

  void start() {
    recording.start();
  }

  /**
   * Ends recording.
   *
   * @return in the order of time; those of the same or the next millisecond are one
   * @throws IOException if the recording cannot be written or read
   */
  List<GridActivity> stop() throws IOException {
    try (recording) {
      recording.stop();
      recording.dump(file);
    }
    List<GridActivity> all = new ArrayList<>();
    try (EventStream events = EventStream.openFile(file)) {
      events.onEvent(EVENT, event -> add(all, event));
      events.start();
    }
    Files.delete(file);
    return all;
  }

  @Override
  public void close() {
    recording.close();
  }

  private static void add(List<GridActivity> all, RecordedEvent event) {
    long millis = event.getStartTime().toEpochMilli();
    int last = all.size() - 1;
    if (last >= 0 && millis <= all.get(last).endMillis()) {
      long start = all.get(last).startMillis();
      all.set(last, new GridActivity(start, millis + 1 - start));
    } else {
      all.add(new GridActivity(millis, 1));
    }
  }
}
