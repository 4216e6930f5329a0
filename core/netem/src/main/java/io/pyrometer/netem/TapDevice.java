package io.pyrometer.netem;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A TAP device of Linux (Documentation/networking/tuntap.rst): what a network namespace sends
 * through it can be read here, and the other way round. It is gone when it is closed, or when this
 * process ends.
 */
final class TapDevice implements Wire {
  private static final String CLONE = "/dev/net/tun";
  private static final int READ_WRITE = 2;
  private static final long TUNSETIFF = 0x400454caL;
  private static final short TAP_WITHOUT_HEADER = 0x0002 | 0x1000;
  private static final int REQUEST_BYTES = 40;
  private static final int MOST_NAME = 15;

  private final int file;

  private TapDevice(int file) {
    this.file = file;
  }

  /**
   * @param name of the new device, in the namespace of this process until it is moved
   * @throws IOException with the system's words if it cannot be made
   */
  static TapDevice open(String name) throws IOException {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    if (ascii.length > MOST_NAME) {
      throw new IOException(
          "the name of a network device has at most %d letters: %s".formatted(MOST_NAME, name));
    }
    ByteBuffer request = ByteBuffer.allocateDirect(REQUEST_BYTES).order(ByteOrder.nativeOrder());
    request.put(ascii);
    request.putShort(MOST_NAME + 1, TAP_WITHOUT_HEADER);
    request.rewind();
    try {
      int file = LibC.open(CLONE, READ_WRITE);
      int unused = LibC.ioctl(file, TUNSETIFF, request);
      return new TapDevice(file);
    } catch (LastErrorException refused) {
      throw new IOException(
          "a TAP device cannot be made with %s: %s".formatted(CLONE, refused.getMessage()),
          refused);
    }
  }

  @Override
  public void read(ByteBuffer frame) throws IOException {
    frame.clear();
    try {
      frame.limit((int) LibC.read(file, frame, frame.capacity()));
    } catch (LastErrorException gone) {
      throw new IOException("the TAP device is gone: " + gone.getMessage(), gone);
    }
  }

  @Override
  @SuppressWarnings("UnusedVariable")
  public void write(ByteBuffer frame) {
    try {
      long unused = LibC.write(file, frame, frame.remaining());
    } catch (LastErrorException down) {
      // A frame to a device that is down is lost, as on a cable that is pulled.
      return;
    }
  }

  @Override
  public void close() {
    try {
      int unused = LibC.close(file);
    } catch (LastErrorException alreadyGone) {
      // Nothing is lost: it was to go.
      return;
    }
  }

  /** The system's own calls; sizes are those of 64-bit Linux. Buffers must be direct. */
  private static final class LibC {
    static {
      Native.register(LibC.class, "c");
    }

    private LibC() {}

    static native int open(String path, int flags) throws LastErrorException;

    static native int ioctl(int file, long request, ByteBuffer argument) throws LastErrorException;

    static native long read(int file, ByteBuffer buffer, long count) throws LastErrorException;

    static native long write(int file, ByteBuffer buffer, long count) throws LastErrorException;

    static native int close(int file) throws LastErrorException;
  }
}
