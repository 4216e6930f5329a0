package io.pyrometer.worker.recorders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.WatchedServers.Collections;
import io.pyrometer.driver.WatchedServers.WatchedServer;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Reading;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordersTest {
  @TempDir Path folder;

  private final Recorders recorders = new Recorders(Optional::empty);

  @Test
  void theLogOfCollectionsHoldsTheRecordedPartAlone() throws Exception {
    System.gc();
    for (int trial = 0; trial < 2; trial++) {
      prepared(recorders, "gc");
      start(recorders, "gc");
      System.gc();
      Answer.Recorded recorded = stop(recorders, "gc");
      System.gc();
      assertThat(recorded.seconds()).isPositive();
      List<String> fulls =
          Files.readString(file(recorded))
              .lines()
              .filter(
                  line ->
                      line.matches(
                          "\\[[0-9.]+s]\\[[0-9]{13}ms].*Pause Full \\(System.gc\\(\\)\\) .*ms"))
              .toList();
      assertThat(fulls).hasSize(1);
    }
  }

  @Test
  void countersGrowAndGaugesAreSampled() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch fourReads = new CountDownLatch(4);
    long during = System.currentTimeMillis() + 60_000;
    GridMetrics metrics =
        new GridMetrics() {
          @Override
          public List<GridMetric> read() {
            int read = reads.incrementAndGet();
            fourReads.countDown();
            return List.of(
                new GridMetric("messages", 100.0 * read, "messages", GridMetrics.Kind.COUNTER),
                new GridMetric("queue", read, "tasks", GridMetrics.Kind.GAUGE));
          }

          @Override
          public Map<String, Optional<GridActivity>> activities() {
            long start = reads.get() < 3 ? 1_000 : during;
            return Map.of(
                "checkpoint", Optional.of(new GridActivity(start, 20)), "merge", Optional.empty());
          }
        };
    Recorders withGrid = new Recorders(() -> Optional.of(metrics));
    prepared(withGrid, "grid");
    start(withGrid, "grid");
    fourReads.await();
    Answer.Recorded recorded = stop(withGrid, "grid");
    // Read once to prepare, once at the start, and at the end.
    assertThat(value(recorded, "messages")).isEqualTo(100.0 * (reads.get() - 2));
    assertThat(value(recorded, "queue.max")).isGreaterThanOrEqualTo(4);
    assertThat(value(recorded, "queue.mean")).isBetween(3.0, value(recorded, "queue.max"));
    assertThat(recorded.files()).hasSize(1);
    assertThat(Json.LINES.readTree(new File(recorded.files().get(0))))
        .as("what ended before the start, and what is seen twice, does not count twice")
        .isEqualTo(
            Json.LINES.readTree(
                "{\"checkpoint\":[{\"startMillis\":%d,\"millis\":20}],\"merge\":[]}"
                    .formatted(during)));
  }

  /** A clock whose sleeps, which are counted from 1, last some nanoseconds longer. */
  private static NanoClock clock(AtomicLong now, CountDownLatch slept, IntUnaryOperator late) {
    AtomicInteger sleeps = new AtomicInteger();
    return new NanoClock() {
      @Override
      public long nanoTime() {
        return now.get();
      }

      @Override
      public long epochMicros() {
        return 5_000_000_000L + now.get() / 1_000;
      }

      @Override
      public void park(long nanos) {
        now.addAndGet(nanos + late.applyAsInt(sleeps.incrementAndGet()));
        slept.countDown();
      }
    };
  }

  /** The clock of a process that is suspended for 90 ms in its third sleep of 10 ms. */
  @Test
  void aSleepThatEndsLateIsAStall() throws Exception {
    CountDownLatch slept = new CountDownLatch(5);
    AtomicLong now = new AtomicLong();
    NanoClock clock = clock(now, slept, sleep -> sleep == 3 ? 90_000_000 : 1_000_000);
    Recorders stalls = new Recorders(List.of(new StallRecorder(clock, () -> 0)), Optional::empty);
    prepared(stalls, "stalls");
    start(stalls, "stalls");
    slept.await();
    Answer.Recorded recorded = stop(stalls, "stalls");
    assertThat(value(recorded, "total")).isEqualTo(90);
    assertThat(Json.LINES.readTree(file(recorded).toFile()))
        .isEqualTo(Json.LINES.readTree("{\"stalls\":[{\"startMillis\":5000032,\"millis\":90}]}"));
  }

  /** Compilers that use 60 % of a CPU from 100 ms to 200 ms, and 20 % before and afterwards. */
  @Test
  void windowsInWhichCompilersUsedHalfACpuAreOnePeriod() throws Exception {
    CountDownLatch slept = new CountDownLatch(40);
    AtomicLong now = new AtomicLong();
    NanoClock clock = clock(now, slept, sleep -> 0);
    DoubleSupplier compilers =
        () -> {
          double seconds = now.get() / 1e9;
          return 1 + 0.2 * seconds + 0.4 * Math.min(0.1, Math.max(0, seconds - 0.1));
        };
    Recorders stalls = new Recorders(List.of(new StallRecorder(clock, compilers)), Optional::empty);
    prepared(stalls, "stalls");
    start(stalls, "stalls");
    slept.await();
    assertThat(Json.LINES.readTree(file(stop(stalls, "stalls")).toFile()))
        .isEqualTo(
            Json.LINES.readTree(
                "{\"JIT\":[{\"startMillis\":5000100,\"millis\":100}],\"stalls\":[]}"));
  }

  @Test
  void everyTelemetryDeviceHasARecorder() {
    assertThat(ServiceLoader.load(Recorder.class))
        .extracting(Recorder::device)
        .containsExactlyInAnyOrderElementsOf(CoreSettings.TELEMETRY.description().choices());
  }

  @Test
  void whatCannotRunSaysWhyInOneSentence() {
    assertThat(prepare(recorders, "grid").unavailable()).isPresent();
    assertThat(prepare(recorders, "perf").unavailable().orElseThrow()).contains("'perf'");
  }

  @Test
  void whatIsNotStartedCannotBeStopped() {
    assertThatThrownBy(() -> stop(recorders, "gc")).isInstanceOf(GridException.class);
  }

  @Test
  void aFileComesInPartsAndNoPartIsLargerThanALineMayBe() throws Exception {
    byte[] bytes = new byte[Command.FetchFile.MOST_FILE_BYTES + 12_345];
    new Random(7).nextBytes(bytes);
    Path file = Files.write(folder.resolve("large"), bytes);
    ByteArrayOutputStream fetched = new ByteArrayOutputStream();
    int parts = 0;
    for (Answer.FilePart part = fetch(file, 0);
        !part.base64().isEmpty();
        part = fetch(file, fetched.size())) {
      assertThat(part.fileBytes()).isEqualTo(bytes.length);
      fetched.write(Base64.getDecoder().decode(part.base64()));
      parts++;
    }
    assertThat(fetched.toByteArray()).isEqualTo(bytes);
    assertThat(parts).isEqualTo(2);
    assertThatThrownBy(() -> fetch(folder.resolve("absent"), 0))
        .hasMessageContaining(folder.resolve("absent").toString());
  }

  private Answer.FilePart fetch(Path file, long offset) {
    return (Answer.FilePart)
        recorders
            .answer(new Command.FetchFile(file.toString(), offset, Integer.MAX_VALUE))
            .orElseThrow();
  }

  private Answer.RecordingPrepared prepare(Recorders of, String device) {
    return (Answer.RecordingPrepared)
        of.answer(
                new Command.PrepareRecording(
                    device, folder.resolve("a folder").resolve(device).toString(), Map.of()))
            .orElseThrow();
  }

  private void prepared(Recorders of, String device) {
    assertThat(prepare(of, device).unavailable()).isEmpty();
  }

  private static void start(Recorders of, String device) {
    assertThat(of.answer(new Command.StartRecording(device))).contains(new Answer.Done());
  }

  private static Answer.Recorded stop(Recorders of, String device) {
    return (Answer.Recorded) of.answer(new Command.StopRecording(device)).orElseThrow();
  }

  private static Path file(Answer.Recorded recorded) throws IOException {
    assertThat(recorded.files()).hasSize(1);
    return Path.of(recorded.files().get(0));
  }

  private static double value(Answer.Recorded recorded, String name) {
    return recorded.readings().stream()
        .collect(Collectors.toMap(Reading::name, Reading::value))
        .get(name);
  }

  /** A server elsewhere with one collection more at each look. */
  private static final class Elsewhere implements WatchedServer {
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public Answer.Used usage() {
      throw new GridException("JMX does not answer.");
    }

    @Override
    public Optional<String> host() {
      return Optional.of("elsewhere");
    }

    @Override
    public Collections collections() {
      int count = looks.incrementAndGet();
      return new Collections(count, count * 0.25);
    }

    @Override
    public GridMetrics metrics() {
      return () -> List.of(new GridMetrics.GridMetric("queue", 7, "tasks", GridMetrics.Kind.GAUGE));
    }
  }

  @Test
  void theCollectionsAndMetricsOfAServerThatIsWatchedAreRecordedHere() {
    Recorders elsewhere = Recorders.of(new Elsewhere());
    for (String device : List.of("gc", "grid")) {
      prepared(elsewhere, device);
      start(elsewhere, device);
    }
    assertThat(stop(elsewhere, "gc").readings())
        .containsExactly(
            Reading.lower("pauses", 1, "pauses"), Reading.lower("pause-total", 250, "ms"));
    Answer.Recorded unused = stop(elsewhere, "grid");
  }
}
