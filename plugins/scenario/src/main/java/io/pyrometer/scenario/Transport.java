package io.pyrometer.scenario;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.pyrometer.driver.GridException;
import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import io.pyrometer.scenario.ScenarioMessages.ScenarioPeer;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one process of a scenario to the others: TCP, one connection a pair, used in
 * both directions. One thread reads and writes all of them, and whatever takes time belongs to
 * another. What is sent to a process that is gone is lost, as it would be in reality.
 */
final class Transport implements AutoCloseable {
  private static final int CONNECT_SECONDS = 10;
  private static final int ANSWER_SECONDS = 5;
  private static final int BACKLOG = 64;

  /** A process at the other end of a connection. */
  record Peer(ScenarioRole role, int index, Channel channel) {
    String name() {
      return role.process(index);
    }

    boolean send(Message message) {
      if (!channel.isActive()) {
        return false;
      }
      ByteBuf frame = channel.alloc().buffer(Message.BYTES, Message.BYTES);
      message.write(frame);
      Future<?> unused = channel.writeAndFlush(frame, channel.voidPromise());
      return true;
    }
  }

  private final ScenarioRole role;
  private final int index;
  private final Role listener;
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final List<Peer> peers = new CopyOnWriteArrayList<>();
  private final Map<ScenarioRole, AtomicInteger> turns = new ConcurrentHashMap<>();

  /** Answers that are awaited of processes, by their names: to a greeting, or of the time. */
  private final Map<String, CompletableFuture<Long>> questions = new ConcurrentHashMap<>();

  Transport(ScenarioRole role, int index, Role listener) {
    this.role = role;
    this.index = index;
    this.listener = listener;
  }

  /**
   * Listens at a free port of the address.
   *
   * @return the port
   * @throws GridException if the address is not this host's
   */
  int listen(String address) {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline());
    Channel bound = server.bind(new InetSocketAddress(address, 0)).awaitUninterruptibly().channel();
    if (!(bound.localAddress() instanceof InetSocketAddress local)) {
      throw new GridException("No port at " + address + ", which should be this host's, is free.");
    }
    return local.getPort();
  }

  /**
   * Connects to another process and returns when that has taken the connection.
   *
   * @throws GridException if it cannot be reached
   */
  void connect(ScenarioPeer peer) {
    CompletableFuture<Long> welcomed = new CompletableFuture<>();
    questions.put(peer.name(), welcomed);
    Channel channel =
        new Bootstrap()
            .group(threads)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) TimeUnit.SECONDS.toMillis(CONNECT_SECONDS))
            .handler(pipeline())
            .connect(peer.address(), peer.port())
            .awaitUninterruptibly()
            .channel();
    Peer opened = new Peer(peer.role(), peer.index(), channel);
    if (!opened.send(Message.bare(Message.Type.HELLO, index, role.code(), 0, 0))) {
      throw unreachable(peer);
    }
    try {
      Long unused = welcomed.get(CONNECT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw unreachable(peer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(peer);
    }
  }

  private static GridException unreachable(ScenarioPeer peer) {
    return GridException.of(
        "%s cannot be reached at %s:%d.", peer.name(), peer.address(), peer.port());
  }

  /** The live process of a role and index. */
  Optional<Peer> peer(ScenarioRole of, int number) {
    return peers.stream().filter(peer -> peer.role() == of && peer.index() == number).findFirst();
  }

  /** The live processes of a role in turn; empty where none is left. */
  Optional<Peer> next(ScenarioRole of) {
    List<Peer> live =
        peers.stream().filter(peer -> peer.role() == of && peer.channel().isActive()).toList();
    if (live.isEmpty()) {
      return Optional.empty();
    }
    int turn = turns.computeIfAbsent(of, role -> new AtomicInteger()).getAndIncrement();
    return Optional.of(live.get(Math.floorMod(turn, live.size())));
  }

  /**
   * Compares this process's clock with that of every process that it is connected to.
   *
   * @throws GridException if one does not answer
   */
  List<ClockComparison> compareClocks(int asked) {
    return peers.stream()
        .sorted(Comparator.comparing(Peer::role))
        .map(peer -> compare(peer, asked))
        .toList();
  }

  private ClockComparison compare(Peer peer, int asked) {
    long offset = 0;
    long error = Long.MAX_VALUE;
    for (int i = 0; i < asked; i++) {
      CompletableFuture<Long> answer = new CompletableFuture<>();
      questions.put(peer.name(), answer);
      long before = System.nanoTime();
      peer.send(Message.bare(Message.Type.PING, index, role.code(), before, 0));
      long theirs = awaited(answer, peer);
      long half = (System.nanoTime() - before) / 2;
      if (half < error) {
        error = half;
        offset = theirs - (before + half);
      }
    }
    return new ClockComparison(peer.name(), offset, error);
  }

  private static long awaited(CompletableFuture<Long> answer, Peer peer) {
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new GridException(peer.name() + " does not tell its time.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("Comparing the clocks was interrupted.", e);
    }
  }

  /** An event loop that is shut down may leave its connections open, so they are closed before. */
  @Override
  public void close() {
    boolean unused = channels.close().awaitUninterruptibly(2_000);
    unused = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2_000);
  }

  private ChannelInitializer<SocketChannel> pipeline() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        channels.add(channel);
        channel.pipeline().addLast(new FixedLengthFrameDecoder(Message.BYTES), new Connection());
      }
    };
  }

  private final class Connection extends SimpleChannelInboundHandler<ByteBuf> {
    private Optional<Peer> other = Optional.empty();

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      long now = System.nanoTime();
      Message message = Message.read(frame);
      switch (message.type()) {
        case HELLO -> {
          join(message, context.channel());
          answer(Message.bare(Message.Type.WELCOME, index, role.code(), 0, 0));
        }
        case WELCOME -> {
          join(message, context.channel());
          answered(message);
        }
        case PING ->
            answer(Message.bare(Message.Type.PONG, index, role.code(), now, message.sent()));
        case PONG -> answered(message);
        default -> listener.received(message, now);
      }
    }

    private void join(Message greeting, Channel channel) {
      ScenarioRole of = Coded.of(ScenarioRole.class, greeting.number());
      Peer peer = new Peer(of, greeting.from(), channel);
      other = Optional.of(peer);
      peers.add(peer);
    }

    private void answered(Message message) {
      Optional.ofNullable(questions.get(other.map(Peer::name).orElse("")))
          .ifPresent(question -> question.complete(message.sent()));
    }

    private void answer(Message message) {
      other.ifPresent(peer -> peer.send(message));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      other.ifPresent(
          peer -> {
            peers.remove(peer);
            listener.lost(peer.role(), peer.index());
          });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      // A process that was killed resets its connections; whatever it is, the connection is over.
      Future<?> unused = context.close();
    }
  }
}
