package io.pyrometer.driver.ignite;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.internal.managers.communication.GridIoMessage;
import org.apache.ignite.lang.IgniteInClosure;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.plugin.extensions.communication.Message;
import org.apache.ignite.spi.IgniteSpiConsistencyChecked;
import org.apache.ignite.spi.IgniteSpiException;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;

/**
 * Communication of a node whose messages of some classes to single nodes get lost, late or fail.
 */
@IgniteSpiConsistencyChecked(optional = true)
final class FaultyCommunication extends TcpCommunicationSpi {
  /** Fault of a message that is not sent. */
  enum Fault {
    /** It is lost, and its sender does not learn of it. */
    DROP,
    /** It is sent after {@link #heal}. */
    HOLD,
    /** Its sender gets an exception. */
    FAIL
  }

  private record Rule(Fault fault, Class<?> messages, AtomicInteger affected) {}

  private final Map<Object, Rule> rules = new ConcurrentHashMap<>();
  private final Map<Object, List<Runnable>> held = new ConcurrentHashMap<>();
  private final AtomicBoolean isCut = new AtomicBoolean();

  /** Affects messages of a class, and of its subclasses, to the node with a consistent ID. */
  void affect(Object target, Fault fault, Class<?> messages) {
    rules.put(target, new Rule(fault, messages, new AtomicInteger()));
  }

  /** The number of messages to a node that its fault has affected. */
  int affected(Object target) {
    Rule rule = rules.get(target);
    return rule == null ? 0 : rule.affected().get();
  }

  /** Ends the fault of a node, and sends what was held. */
  void heal(Object target) {
    rules.remove(target);
    List<Runnable> messages = held.remove(target);
    if (messages != null) {
      messages.forEach(Runnable::run);
    }
  }

  /** Sends and receives nothing from now on. */
  void cut() {
    isCut.set(true);
  }

  @Override
  public void sendMessage(ClusterNode node, Message message) {
    send(node, message, () -> super.sendMessage(node, message));
  }

  @Override
  public void sendMessage(
      ClusterNode node, Message message, IgniteInClosure<IgniteException> acknowledged) {
    send(node, message, () -> super.sendMessage(node, message, acknowledged));
  }

  private void send(ClusterNode node, Message message, Runnable send) {
    if (isCut.get()) {
      return;
    }
    Rule rule = rules.get(node.consistentId());
    Message content = message instanceof GridIoMessage wrapped ? wrapped.message() : message;
    if (rule == null || !rule.messages().isInstance(content)) {
      send.run();
      return;
    }
    rule.affected().incrementAndGet();
    switch (rule.fault()) {
      case DROP -> {}
      case HOLD ->
          held.computeIfAbsent(node.consistentId(), id -> new CopyOnWriteArrayList<>()).add(send);
      case FAIL -> throw new IgniteSpiException("Planted: no connection to " + node.consistentId());
    }
  }

  @Override
  protected void notifyListener(UUID sender, Message message, IgniteRunnable next) {
    if (isCut.get()) {
      next.run();
    } else {
      super.notifyListener(sender, message, next);
    }
  }
}
