package io.pyrometer.worker.recorders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.pyrometer.driver.GridException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileRecorderTest {
  private static final int THREADS = 60;

  @TempDir Path folder;

  private static void useFewMillis() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    while (threads.getCurrentThreadCpuTime() < 8_000_000) {
      Thread.onSpinWait();
    }
  }

  /** Together they use half a second, in which the slowest of kernels ticks 48 times. */
  @Test
  void threadsThatUseFewMillisecondsEachHaveTheirShareOfTheSamples() throws Exception {
    ProfileRecorder recorder = new ProfileRecorder();
    try {
      assertThat(recorder.prepare(new Recorder.Setup(folder, Map.of(), Optional.empty())))
          .containsKey("version");
    } catch (GridException unavailable) {
      abort(unavailable.getMessage());
    }
    recorder.start();
    List<Thread> threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> new Thread(ProfileRecorderTest::useFewMillis))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    Recorder.Result result = recorder.stop();
    assertThat(result.readings()).anyMatch(read -> read.name().equals("samples"));
    Path file = result.files().get(0);
    int samples = 0;
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        var event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.ExecutionSample")
            && event.getStackTrace() != null
            && event.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getName().equals("useFewMillis"))) {
          samples++;
        }
      }
    }
    assertThat(samples).isGreaterThan(5);
  }
}
