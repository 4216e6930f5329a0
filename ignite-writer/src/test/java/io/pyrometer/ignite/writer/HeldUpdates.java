package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.managers.communication.GridIoMessage;
import org.apache.ignite.internal.processors.cache.distributed.dht.atomic.GridNearAtomicAbstractUpdateRequest;
import org.apache.ignite.internal.processors.cache.distributed.dht.atomic.GridNearAtomicUpdateResponse;
import org.apache.ignite.lang.IgniteInClosure;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.plugin.extensions.communication.Message;
import org.apache.ignite.spi.IgniteSpiConsistencyChecked;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;

/** A client's communication that can hold back its updates to single servers, and count answers. */
@IgniteSpiConsistencyChecked(optional = true)
final class HeldUpdates extends TcpCommunicationSpi {
  private final Set<UUID> held = ConcurrentHashMap.newKeySet();
  private final Map<UUID, List<Runnable>> waiting = new ConcurrentHashMap<>();
  private final Map<UUID, AtomicInteger> answers = new ConcurrentHashMap<>();

  void hold(ClusterNode server) {
    held.add(server.id());
  }

  void release(ClusterNode server) {
    held.remove(server.id());
    waiting(server.id()).forEach(Runnable::run);
  }

  int held(ClusterNode server) {
    return waiting(server.id()).size();
  }

  /** How many updates a server has answered to this client. */
  int answers(ClusterNode server) {
    return answers.getOrDefault(server.id(), new AtomicInteger()).get();
  }

  private List<Runnable> waiting(UUID server) {
    return waiting.computeIfAbsent(server, id -> new ArrayList<>());
  }

  @Override
  public void sendMessage(
      ClusterNode node, Message message, IgniteInClosure<IgniteException> acknowledged) {
    if (held.contains(node.id())
        && content(message) instanceof GridNearAtomicAbstractUpdateRequest) {
      waiting(node.id()).add(() -> super.sendMessage(node, message, acknowledged));
    } else {
      super.sendMessage(node, message, acknowledged);
    }
  }

  @Override
  protected void notifyListener(UUID sender, Message message, IgniteRunnable next) {
    super.notifyListener(sender, message, next);
    if (content(message) instanceof GridNearAtomicUpdateResponse) {
      answers.computeIfAbsent(sender, id -> new AtomicInteger()).incrementAndGet();
    }
  }

  private static Message content(Message message) {
    return message instanceof GridIoMessage wrapped ? wrapped.message() : message;
  }
}
