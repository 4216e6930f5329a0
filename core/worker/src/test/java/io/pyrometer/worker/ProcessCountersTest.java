package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Answer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessCountersTest {
  private static final int MESSAGES = 500;
  private static final int BYTES = 1_000;

  @Test
  void bytesAndCallsOnSocketsAreCountedOnBothSides() throws Exception {
    Answer.Used before = ResourceUsage.of(List.of());
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket other = server.accept()) {
      OutputStream out = one.getOutputStream();
      InputStream in = other.getInputStream();
      byte[] message = new byte[BYTES];
      for (int i = 0; i < MESSAGES; i++) {
        out.write(message);
        assertThat(in.readNBytes(BYTES)).hasSize(BYTES);
      }
    }
    Answer.Io io = ResourceUsage.of(List.of()).since(before).inside().io().orElseThrow();
    assertThat(io.writtenBytes()).isGreaterThanOrEqualTo((long) MESSAGES * BYTES);
    assertThat(io.readBytes()).isGreaterThanOrEqualTo((long) MESSAGES * BYTES);
    assertThat(io.writeCalls()).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(io.readCalls()).isGreaterThanOrEqualTo(MESSAGES);
  }

  @Test
  void contextSwitchesOfAThreadThatHasEndedStillCount() throws Exception {
    int naps = 50;
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch napped = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    Thread sleeper =
        new Thread(
            () -> {
              try {
                begun.await();
                for (int i = 0; i < naps; i++) {
                  Thread.sleep(1);
                }
                napped.countDown();
                read.await();
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
            });
    sleeper.start();
    Answer.Used before = ResourceUsage.of(List.of());
    begun.countDown();
    napped.await();
    Answer.Used alive = ResourceUsage.of(List.of());
    read.countDown();
    sleeper.join();
    Answer.Used ended = ResourceUsage.of(List.of());
    assertThat(alive.since(before).inside().contextSwitches()).isGreaterThanOrEqualTo(naps);
    assertThat(ended.since(before).inside().contextSwitches())
        .isGreaterThanOrEqualTo(alive.since(before).inside().contextSwitches());
  }

  @Test
  @Timeout(60)
  void collectionsUseTimeOfTheCollectorsThreadsWhichIsPartOfTheProcess() {
    Answer.Used before = ResourceUsage.of(List.of());
    Answer.Used used;
    do {
      System.gc();
      used = ResourceUsage.of(List.of()).since(before);
    } while (used.inside().collectorSeconds() == 0);
    // The process's time is counted in ticks of 10 ms.
    assertThat(used.inside().collectorSeconds() + used.inside().compilerSeconds())
        .isLessThanOrEqualTo(used.cpuSeconds() + 0.05);
  }
}
