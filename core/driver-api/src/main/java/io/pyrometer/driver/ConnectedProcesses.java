package io.pyrometer.driver;

import io.pyrometer.protocol.MachineReading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes of this machine with TCP connections to servers. They are known on Linux alone
 * (proc(5)), in this network namespace, and where this user may look at them.
 */
public final class ConnectedProcesses {
  private static final String ESTABLISHED = "01";
  private static final int REMOTE_ADDRESS = 2;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ConnectedProcesses() {}

  /** Their ids. */
  public static Set<Long> to(Set<InetSocketAddress> servers) {
    Set<String> sockets =
        Stream.of("/proc/self/net/tcp", "/proc/self/net/tcp6")
            .flatMap(table -> MachineReading.lines(table).stream())
            .map(line -> line.strip().split("\\s+", -1))
            .filter(row -> row.length > INODE && row[STATE].equals(ESTABLISHED))
            .filter(row -> servers.contains(address(row[REMOTE_ADDRESS])))
            .map(row -> "socket:[" + row[INODE] + "]")
            .collect(Collectors.toSet());
    Set<Long> processes = new TreeSet<>();
    if (!sockets.isEmpty()) {
      ProcessHandle.allProcesses()
          .map(ProcessHandle::pid)
          .filter(pid -> holdsOneOf(sockets, pid))
          .forEach(processes::add);
    }
    return processes;
  }

  /** Such as {@code 0100007F:2A30}: words of four bytes in the machine's order, and the port. */
  private static InetSocketAddress address(String hex) {
    int colon = hex.indexOf(':');
    ByteBuffer bytes =
        ByteBuffer.wrap(HexFormat.of().parseHex(hex, 0, colon)).order(ByteOrder.nativeOrder());
    ByteBuffer inOrder = ByteBuffer.allocate(bytes.capacity());
    while (bytes.hasRemaining()) {
      inOrder.putInt(bytes.getInt());
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(inOrder.array()),
          HexFormat.fromHexDigits(hex, colon + 1, hex.length()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static boolean holdsOneOf(Set<String> sockets, long pid) {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
      return descriptors.anyMatch(descriptor -> sockets.contains(target(descriptor)));
    } catch (IOException | UncheckedIOException endedOrNotOurs) {
      return false;
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
