package io.pyrometer.netem;

import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One direction of a connection in a shape: one thread takes pieces and says when each is due,
 * another gives them on.
 *
 * <p>A relay of TCP streams cannot lose a segment; the peers' kernels would never know. A 'lost'
 * one costs what it would cost a sender that waits for its time-out: {@link #TIME_OUT} and a round
 * trip for it and all that follows in its connection. No window shrinks, so that bulk transfers
 * suffer less here than they would.
 */
final class ShapedPump {
  /** Linux's least retransmission time-out. */
  private static final double TIME_OUT = 0.2;

  private static final int SEGMENT = 1_448;
  private static final int PIECE = 16 * 1024;
  private static final long MIN_CAPACITY = 64 * 1024;
  static final long MAX_CAPACITY = 8L << 20;
  private static final double ROUTER_BUFFER_SECONDS = 0.1;

  private final Socket from;
  private final Socket to;
  private final Shape shape;
  private final Link link;
  private final SplittableRandom random;
  private final DepartureSchedule schedule;
  private final Runnable atEnd;
  private final FrameQueue queue;

  ShapedPump(Socket from, Socket to, Shape shape, Link link, long seed, Runnable atEnd) {
    this.from = from;
    this.to = to;
    this.shape = shape;
    this.link = link;
    this.random = new SplittableRandom(seed);
    this.schedule = new DepartureSchedule(~seed);
    this.atEnd = atEnd;
    this.queue = new FrameQueue(capacity(shape));
  }

  /** Bytes on their way, and those of a tenth of a second before the link, as in a router. */
  static long capacity(Shape shape) {
    if (shape.bitsPerSecond() == 0) {
      return MAX_CAPACITY;
    }
    double seconds = shape.delaySeconds() + shape.jitterSeconds() + ROUTER_BUFFER_SECONDS;
    long bytes = (long) (shape.bitsPerSecond() / 8 * seconds);
    return Math.max(MIN_CAPACITY, Math.min(MAX_CAPACITY, bytes));
  }

  void take() {
    byte[] buffer = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      boolean wanted = true;
      for (int read = in.read(buffer); wanted && read >= 0; read = in.read(buffer)) {
        wanted = queue.put(Arrays.copyOf(buffer, read), due(read));
      }
      queue.end(due(0));
    } catch (IOException broken) {
      queue.close();
      atEnd.run();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private long due(int bytes) {
    double heldUp = lost(bytes) ? TIME_OUT + 2 * shape.delaySeconds() : 0;
    return schedule.due(bytes, shape, link, heldUp);
  }

  private boolean lost(int bytes) {
    if (shape.loss() == 0 || bytes == 0) {
      return false;
    }
    int segments = (bytes + SEGMENT - 1) / SEGMENT;
    return random.nextDouble() < 1 - Math.pow(1 - shape.loss(), segments);
  }

  void give() {
    try {
      OutputStream out = to.getOutputStream();
      Optional<byte[]> piece = queue.take();
      while (piece.isPresent()) {
        out.write(piece.get());
        piece = queue.take();
      }
      to.shutdownOutput();
      if (from.isOutputShutdown()) {
        atEnd.run();
      }
    } catch (IOException broken) {
      queue.close();
      atEnd.run();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
