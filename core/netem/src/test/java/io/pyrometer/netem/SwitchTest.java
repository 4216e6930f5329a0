package io.pyrometer.netem;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SwitchTest {
  private static final int EVERYONE = 0xff;
  private static final int SHORT = 100;

  private final Cable a = new Cable(2);
  private final Cable b = new Cable(4);
  private final Cable c = new Cable(6);
  private final Switch switched = new Switch(List.of(a, b, c));

  /** A host of one frame's worth of sense: its address ends with its number. */
  private static final class Cable implements Wire {
    private final int number;
    private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> got = new LinkedBlockingQueue<>();

    Cable(int number) {
      this.number = number;
    }

    void send(int to, int what, int bytes) {
      sent.add(frame(to, what, bytes));
    }

    byte[] frame(int to, int what, int bytes) {
      byte[] frame = new byte[bytes];
      for (int i = 0; i < 6; i++) {
        frame[i] = (byte) (to == EVERYONE ? EVERYONE : 0);
      }
      frame[5] = (byte) to;
      frame[11] = (byte) number;
      frame[12] = (byte) (what >> 8);
      frame[13] = (byte) what;
      return frame;
    }

    /** What the next frame said, or -1 where none comes. */
    int next(long millis) throws InterruptedException {
      byte[] frame = got.poll(millis, TimeUnit.MILLISECONDS);
      return frame == null ? -1 : ((frame[12] & 0xff) << 8) | (frame[13] & 0xff);
    }

    /** How many frames come until none does for a while. */
    int arrived() throws InterruptedException {
      int arrived = 0;
      while (next(2_000) >= 0) {
        arrived++;
      }
      return arrived;
    }

    @Override
    public void read(ByteBuffer frame) throws IOException {
      frame.clear();
      try {
        frame.put(sent.take()).flip();
      } catch (InterruptedException over) {
        throw new IOException(over);
      }
    }

    @Override
    public void write(ByteBuffer frame) {
      byte[] copy = new byte[frame.remaining()];
      frame.duplicate().get(copy);
      got.add(copy);
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    switched.close();
  }

  /** Everybody has said something, so that the switch knows where they are. */
  private void introduce() throws InterruptedException {
    for (Cable cable : List.of(a, b, c)) {
      cable.send(EVERYONE, 0, SHORT);
    }
    for (Cable cable : List.of(a, b, c)) {
      assertThat(cable.next(5_000)).isZero();
      assertThat(cable.next(5_000)).isZero();
    }
  }

  @Test
  void aFrameToAnUnknownHostGoesToAllOthersAndOneToAKnownHostToItAlone() throws Exception {
    a.send(b.number, 1, SHORT);
    assertThat(b.next(5_000)).isEqualTo(1);
    assertThat(c.next(5_000)).isEqualTo(1);
    b.send(a.number, 2, SHORT);
    assertThat(a.next(5_000)).isEqualTo(2);
    assertThat(c.next(50)).isEqualTo(-1);
    assertThat(b.next(50)).isEqualTo(-1);
  }

  @Test
  void framesOfOneHostAreLateByTheDelayAndKeepTheirOrderWhateverTheJitter() throws Exception {
    introduce();
    switched.shape(new Shape(0.03, 0.02, 0, 0));
    long from = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      a.send(b.number, i, SHORT);
    }
    for (int i = 0; i < 200; i++) {
      assertThat(b.next(5_000)).isEqualTo(i);
      assertThat(System.nanoTime() - from).isGreaterThanOrEqualTo(30_000_000L);
    }
  }

  @Test
  void aRateTakesItsTime() throws Exception {
    introduce();
    switched.shape(new Shape(0, 0, 8e6, 0));
    long from = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      a.send(b.number, i, 1_000);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(b.next(5_000)).isEqualTo(i);
    }
    assertThat(System.nanoTime() - from).isGreaterThanOrEqualTo(50_000_000L);
  }

  @Test
  void whatFindsTheLinksBufferFullIsLost() throws Exception {
    introduce();
    switched.shape(new Shape(0.5, 0, 8e6, 0));
    int frames = 3_000; // of three seconds at this rate; the buffer takes half a second of them
    for (int i = 0; i < frames; i++) {
      a.send(b.number, i, 1_000);
    }
    assertThat(b.arrived()).isBetween(500, frames - 1);
  }

  @Test
  void aShareOfTheFramesIsLost() throws Exception {
    introduce();
    switched.shape(new Shape(0, 0, 0, 0.3));
    for (int i = 0; i < 2_000; i++) {
      a.send(b.number, i, SHORT);
    }
    assertThat(b.arrived()).isBetween(1_250, 1_550);
  }

  @Test
  void aShareOfTheFramesArrivesTwiceOrAfterTheNext() throws Exception {
    introduce();
    switched.shape(new Shape(0, 0, 0, 0, new Shape.Disorder(0.3, 0, 0)));
    for (int i = 0; i < 1_000; i++) {
      a.send(b.number, i, SHORT);
    }
    assertThat(b.arrived()).isBetween(1_200, 1_400);
    switched.shape(new Shape(0, 0, 0, 0, new Shape.Disorder(0, 1, 0)));
    for (int i = 0; i < 4; i++) {
      a.send(b.number, i, SHORT);
    }
    assertThat(List.of(b.next(5_000), b.next(5_000), b.next(5_000), b.next(5_000)))
        .containsExactly(1, 0, 3, 2);
    a.send(b.number, 4, SHORT);
    assertThat(b.next(50)).as("it waits for the next").isEqualTo(-1);
    switched.shape(Shape.PLAIN);
    a.send(b.number, 5, SHORT);
    assertThat(List.of(b.next(5_000), b.next(5_000))).containsExactly(5, 4);
  }

  @Test
  void aCorruptedFrameKeepsItsAddressesAndLength() throws Exception {
    introduce();
    switched.shape(new Shape(0, 0, 0, 0, new Shape.Disorder(0, 0, 1)));
    a.send(b.number, 7, SHORT);
    byte[] got = b.got.poll(5, TimeUnit.SECONDS);
    assertThat(got).hasSize(SHORT).startsWith(a.frame(b.number, 7, 14));
    assertThat(got).isNotEqualTo(a.frame(b.number, 7, SHORT));
  }

  @Test
  void oneLinkIsShapedAlone() throws Exception {
    introduce();
    switched.shape(0, new Shape(0, 0, 0, 1));
    a.send(b.number, 1, SHORT);
    c.send(b.number, 2, SHORT);
    assertThat(b.next(5_000)).isEqualTo(2);
    assertThat(b.next(50)).isEqualTo(-1);
  }

  @Test
  void aPlainLinkGivesOnAtOnceAfterAShapeWithoutOvertaking() throws Exception {
    introduce();
    switched.shape(new Shape(0.1, 0, 0, 0));
    a.send(b.number, 1, SHORT);
    Thread.sleep(20);
    switched.shape(Shape.PLAIN);
    a.send(b.number, 2, SHORT);
    assertThat(b.next(5_000)).isEqualTo(1);
    assertThat(b.next(5_000)).isEqualTo(2);
  }
}
