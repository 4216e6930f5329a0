package io.pyrometer.netem;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The source and sink of one host's Ethernet frames. */
interface Wire extends AutoCloseable {

  /**
   * Waits for the host's next frame.
   *
   * @param frame cleared first, and flipped at the end
   * @throws IOException when the host is gone
   */
  void read(ByteBuffer frame) throws IOException;

  /** Gives the host a frame, or loses it if the host's device is down. Safe for several threads. */
  void write(ByteBuffer frame);

  @Override
  void close();
}
