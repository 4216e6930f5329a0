package io.pyrometer.netem;

import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * One host's link to a switch. A thread takes the host's frames; in a shape it says when each is
 * due, and another passes them on. Frames of one host overtake one another only where its shape
 * says so. Those that find the link's buffer full are lost, as in a router.
 */
final class SwitchPort {
  /** An Ethernet frame of any MTU that a TAP device can have. */
  private static final int LARGEST_FRAME = 64 * 1024;

  /** Addresses and type, which no checksum of a host covers. */
  private static final int HEADER = 14;

  private final Wire wire;
  private final int number;
  private final BiConsumer<SwitchPort, ByteBuffer> forward;
  private final SplittableRandom random;
  private final DepartureSchedule schedule;
  private final FrameQueue queue = new FrameQueue(ShapedPump.MAX_CAPACITY);
  private volatile Shaped now = new Shaped(Shape.PLAIN);
  private Optional<byte[]> overtaken = Optional.empty();

  private record Shaped(Shape shape, Link link, long capacity) {
    Shaped(Shape shape) {
      this(shape, new Link(shape.bitsPerSecond()), ShapedPump.capacity(shape));
    }

    boolean plain() {
      return shape.equals(Shape.PLAIN);
    }
  }

  SwitchPort(Wire wire, int number, BiConsumer<SwitchPort, ByteBuffer> forward) {
    this.wire = wire;
    this.number = number;
    this.forward = forward;
    this.random = new SplittableRandom(number);
    this.schedule = new DepartureSchedule(~number);
  }

  void start() {
    Daemon.start("switch-takes-" + number, this::take);
    Daemon.start("switch-gives-" + number, this::passOn);
  }

  void shape(Shape next) {
    now = new Shaped(next);
  }

  /** Hands the host a frame of another. */
  void give(ByteBuffer frame) {
    wire.write(frame);
  }

  private void take() {
    ByteBuffer frame = ByteBuffer.allocateDirect(LARGEST_FRAME);
    try {
      while (true) {
        wire.read(frame);
        Shaped link = now;
        if (link.plain() && queue.isEmpty() && overtaken.isEmpty()) {
          forward.accept(this, frame);
        } else if (!happens(link.shape().loss())) {
          queue(frame, link);
        }
      }
    } catch (IOException hostIsGone) {
      queue.close();
    }
  }

  private boolean happens(double share) {
    return share > 0 && random.nextDouble() < share;
  }

  private void queue(ByteBuffer frame, Shaped link) {
    byte[] copy = new byte[frame.remaining()];
    frame.get(copy);
    Shape.Disorder disorder = link.shape().disorder();
    if (happens(disorder.corrupted())) {
      copy[random.nextInt(Math.min(HEADER, copy.length - 1), copy.length)] ^= (byte) 0x55;
    }
    if (overtaken.isEmpty() && happens(disorder.reordered())) {
      overtaken = Optional.of(copy);
      return;
    }
    offer(copy, link);
    if (happens(disorder.duplicated())) {
      offer(copy, link);
    }
    overtaken.ifPresent(late -> offer(late, link));
    overtaken = Optional.empty();
  }

  private void offer(byte[] frame, Shaped link) {
    queue.offer(
        frame, link.capacity(), () -> schedule.due(frame.length, link.shape(), link.link(), 0));
  }

  private void passOn() {
    ByteBuffer frame = ByteBuffer.allocateDirect(LARGEST_FRAME);
    try {
      for (Optional<byte[]> next = queue.take(); next.isPresent(); next = queue.take()) {
        frame.clear();
        frame.put(next.get()).flip();
        forward.accept(this, frame);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void close() {
    queue.close();
    wire.close();
  }
}
