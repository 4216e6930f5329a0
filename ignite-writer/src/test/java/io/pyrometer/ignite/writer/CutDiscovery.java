package io.pyrometer.ignite.writer;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.spi.IgniteSpiOperationTimeoutHelper;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.messages.TcpDiscoveryAbstractMessage;
import org.apache.ignite.spi.discovery.tcp.messages.TcpDiscoveryCustomEventMessage;
import org.junit.jupiter.api.Assumptions;

/**
 * A client's discovery whose connection can be cut, so that the client leaves the cluster and joins
 * it again, and which can lose the next proposal of a new class's binary metadata.
 */
final class CutDiscovery extends TcpDiscoverySpi {
  private final AtomicBoolean cut = new AtomicBoolean();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean loseProposal = new AtomicBoolean();

  void cut() throws IOException {
    cut.set(true);
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  void heal() {
    cut.set(false);
  }

  /** Not with Ignite 2.18, which sends messages in another way. */
  void loseNextMetadataProposal() {
    List<?> parameters = List.of(Socket.class, TcpDiscoveryAbstractMessage.class, long.class);
    Assumptions.assumeTrue(
        Arrays.stream(TcpDiscoverySpi.class.getDeclaredMethods())
            .filter(method -> method.getName().equals("writeToSocket"))
            .anyMatch(method -> List.of(method.getParameterTypes()).equals(parameters)));
    loseProposal.set(true);
  }

  boolean hasLostIt() {
    return !loseProposal.get();
  }

  @Override
  protected Socket openSocket(
      java.net.InetSocketAddress address, IgniteSpiOperationTimeoutHelper timeouts)
      throws IOException, org.apache.ignite.spi.IgniteSpiOperationTimeoutException {
    if (cut.get()) {
      throw new IOException("cut by a test");
    }
    Socket socket = super.openSocket(address, timeouts);
    sockets.add(socket);
    return socket;
  }

  @Override
  protected void writeToSocket(Socket socket, TcpDiscoveryAbstractMessage message, long timeout)
      throws IOException, IgniteCheckedException {
    if (loseProposal.get() && isProposal(message) && loseProposal.compareAndSet(true, false)) {
      return;
    }
    super.writeToSocket(socket, message, timeout);
  }

  private boolean isProposal(TcpDiscoveryAbstractMessage message) throws IgniteCheckedException {
    try {
      return message instanceof TcpDiscoveryCustomEventMessage custom
          && String.valueOf(custom.message(marshaller(), getClass().getClassLoader()))
              .contains("MetadataUpdateProposed");
    } catch (IgniteCheckedException e) {
      throw e;
    } catch (Throwable e) {
      throw new IgniteCheckedException("a message could not be read", e);
    }
  }
}
