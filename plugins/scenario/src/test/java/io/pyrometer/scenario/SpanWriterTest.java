package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.scenario.SpanLog.Span;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpanWriterTest {
  private static final int THREADS = 4;
  private static final int SPANS = 50_000;

  @TempDir Path folder;

  /** The log is prepared for further spans while they are written. */
  @Test
  void everySpanThatThreadsWriteAtOnceIsReadBackWhole() throws Exception {
    Path file = folder.resolve("spans");
    try (SpanWriter log = SpanWriter.create(file)) {
      int step = log.step("step", Part.CACHE_READ);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        long first = (long) t * SPANS;
        Thread thread =
            new Thread(
                () -> {
                  for (long id = first; id < first + SPANS; id++) {
                    log.writeStep(step, id, true, 0, id + 1, id + 2);
                  }
                });
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(log.lost()).isZero();
      assertThat(log.bytes())
          .isEqualTo(SpanLog.HEADER_BYTES + (long) THREADS * SPANS * SpanLog.RECORD_BYTES);
    }
    List<Span> spans = SpanLog.read(file).spans();
    assertThat(spans).hasSize(THREADS * SPANS);
    assertThat(spans.stream().mapToLong(Span::request).distinct().count())
        .isEqualTo(THREADS * SPANS);
    assertThat(spans)
        .allMatch(span -> span.from() == span.request() + 1 && span.to() == span.request() + 2);
  }
}
