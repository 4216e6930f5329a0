package io.pyrometer.netem;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Shape;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RelayTest {
  private final Relay relay = new Relay();
  private ServerSocket echo;
  private int port;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::echo);
    thread.setDaemon(true);
    thread.start();
    port = relay.listen(List.of("127.0.0.1:" + echo.getLocalPort())).get(0);
  }

  private void echo() {
    try {
      while (true) {
        Socket socket = echo.accept();
        Thread thread = new Thread(() -> echo(socket));
        thread.setDaemon(true);
        thread.start();
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException gone) {
      // The test is over.
    }
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    echo.close();
  }

  @Test
  void whatGoesInComesOutWholeAndInOrderWhateverTheShape() throws Exception {
    assertThat(echoed(1 << 20)).isTrue();
    relay.shape(new Shape(0.001, 0.003, 400e6, 0.0005));
    assertThat(echoed(1 << 20)).isTrue();
  }

  @Test
  void theEndOfOneDirectionIsPassedOnAndClosesTheConnection() throws Exception {
    try (Socket client = connect()) {
      client.getOutputStream().write(1);
      client.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).hasSize(1);
    }
  }

  @Test
  void aRoundTripIsNeverShorterThanBothDelays() throws Exception {
    relay.shape(new Shape(0.02, 0, 0, 0));
    assertThat(fastestRoundTrip(5)).isGreaterThanOrEqualTo(40_000_000L);
  }

  @Test
  void connectionsShareTheRateOfOneLink() throws Exception {
    relay.shape(new Shape(0, 0, 16e6, 0));
    long from = System.nanoTime();
    CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(() -> echoed(200_000));
    CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> echoed(200_000));
    assertThat(one.get() && other.get()).isTrue();
    long nanosOfBoth = (long) (400_000 * 8 / 16e6 * 1e9);
    assertThat(System.nanoTime() - from).isGreaterThanOrEqualTo(nanosOfBoth);
  }

  @Test
  void aLostSegmentCostsATimeOut() throws Exception {
    relay.shape(new Shape(0, 0, 0, 1));
    assertThat(fastestRoundTrip(1)).isGreaterThanOrEqualTo(400_000_000L);
  }

  @Test
  void whatIsHeldBackIsBoundedInBytes() throws Exception {
    Shape slow = new Shape(5, 0, 1e6, 0);
    relay.shape(slow);
    try (Socket client = connect()) {
      byte[] piece = new byte[64 * 1024];
      CompletableFuture<Long> accepted = new CompletableFuture<>();
      long[] written = new long[1];
      Thread writer =
          new Thread(
              () -> {
                try {
                  OutputStream out = client.getOutputStream();
                  for (int i = 0; i < 1_000; i++) {
                    out.write(piece);
                    written[0] += piece.length;
                  }
                  accepted.complete(written[0]);
                } catch (IOException closed) {
                  accepted.complete(-1L);
                }
              });
      writer.setDaemon(true);
      writer.start();
      assertThat(accepted.completeOnTimeout(0L, 2, TimeUnit.SECONDS).get())
          .as("64 MB were taken at once by a link of 1 Mbit/s")
          .isZero();
      assertThat(ShapedPump.capacity(slow)).isLessThan(1 << 20);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private boolean echoed(int bytes) {
    byte[] sent = new byte[bytes];
    new Random(bytes).nextBytes(sent);
    byte[] back = new byte[bytes];
    try (Socket client = connect()) {
      Thread writer =
          new Thread(
              () -> {
                try {
                  client.getOutputStream().write(sent);
                } catch (IOException closed) {
                  // What comes back is short then.
                }
              });
      writer.start();
      new DataInputStream(client.getInputStream()).readFully(back);
    } catch (IOException failure) {
      return false;
    }
    return Arrays.equals(sent, back);
  }

  private long fastestRoundTrip(int trips) throws IOException {
    long fastest = Long.MAX_VALUE;
    try (Socket client = connect()) {
      InputStream in = client.getInputStream();
      for (int i = 0; i < trips; i++) {
        long from = System.nanoTime();
        client.getOutputStream().write(7);
        assertThat(in.read()).isEqualTo(7);
        fastest = Math.min(fastest, System.nanoTime() - from);
      }
    }
    return fastest;
  }
}
