package io.pyrometer.netem;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** Forwards one direction of a connection without delay, in one thread. */
final class PlainPump implements Runnable {
  private static final int PIECE = 64 * 1024;

  private final Socket from;
  private final Socket to;
  private final Runnable atEnd;

  PlainPump(Socket from, Socket to, Runnable atEnd) {
    this.from = from;
    this.to = to;
    this.atEnd = atEnd;
  }

  @Override
  public void run() {
    byte[] piece = new byte[PIECE];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        out.write(piece, 0, read);
      }
      to.shutdownOutput();
      if (from.isOutputShutdown()) {
        atEnd.run();
      }
    } catch (IOException broken) {
      atEnd.run();
    }
  }
}
