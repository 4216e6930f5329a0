package io.pyrometer.ignite.writer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
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
  private static final Predicate<Message> UPDATE =
      GridNearAtomicAbstractUpdateRequest.class::isInstance;

  private final Map<UUID, Predicate<Message>> held = new ConcurrentHashMap<>();
  private final Map<UUID, List<Runnable>> waiting = new ConcurrentHashMap<>();
  private final Map<UUID, AtomicInteger> answers = new ConcurrentHashMap<>();

  /** Holds all updates to a server. */
  void hold(ClusterNode server) {
    held.put(server.id(), UPDATE);
  }

  /** Holds updates of one key with a condition. */
  void holdConditional(ClusterNode server) {
    held.put(
        server.id(),
        UPDATE.and(message -> message.getClass().getSimpleName().contains("SingleUpdateFilter")));
  }

  void release(ClusterNode server) {
    held.remove(server.id());
    List<Runnable> messages = waiting(server.id());
    new ArrayList<>(messages).forEach(Runnable::run);
    messages.clear();
  }

  int held(ClusterNode server) {
    return waiting(server.id()).size();
  }

  /** How many updates a server has answered to this client. */
  int answers(ClusterNode server) {
    return answers.getOrDefault(server.id(), new AtomicInteger()).get();
  }

  private List<Runnable> waiting(UUID server) {
    return waiting.computeIfAbsent(server, id -> new CopyOnWriteArrayList<>());
  }

  @Override
  public void sendMessage(
      ClusterNode node, Message message, IgniteInClosure<IgniteException> acknowledged) {
    if (held.getOrDefault(node.id(), any -> false).test(content(message))) {
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
