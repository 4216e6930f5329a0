package io.pyrometer.netem;

import io.pyrometer.protocol.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A learning Ethernet switch between hosts, whose links have a {@link Shape}: what a host sends
 * leaves it late, unevenly, slowly, or not at all.
 */
public final class Switch implements AutoCloseable {
  private static final int ADDRESS_BYTES = 6;

  private final List<SwitchPort> ports = new ArrayList<>();
  private final Map<Long, SwitchPort> portOf = new ConcurrentHashMap<>();

  /**
   * Makes TAP devices, which somebody must move into the namespaces of their hosts.
   *
   * @param names of the new devices
   * @throws UncheckedIOException with the system's words if one cannot be made
   */
  public static Switch between(List<String> names) {
    List<Wire> wires = new ArrayList<>();
    try {
      for (String name : names) {
        wires.add(TapDevice.open(name));
      }
    } catch (IOException refused) {
      wires.forEach(Wire::close);
      throw new UncheckedIOException(refused);
    }
    return new Switch(wires);
  }

  Switch(List<? extends Wire> wires) {
    for (int i = 0; i < wires.size(); i++) {
      ports.add(new SwitchPort(wires.get(i), i, this::forward));
    }
    ports.forEach(SwitchPort::start);
  }

  /** Holds for frames that come from now on, on every host's link. */
  public void shape(Shape next) {
    ports.forEach(port -> port.shape(next));
  }

  /**
   * Holds for frames that come from now on from one host.
   *
   * @param link the index of its device
   */
  public void shape(int link, Shape next) {
    ports.get(link).shape(next);
  }

  /** Forwards a frame by its destination and source addresses. */
  private void forward(SwitchPort from, ByteBuffer frame) {
    if (frame.remaining() < 2 * ADDRESS_BYTES) {
      return;
    }
    portOf.put(address(frame, ADDRESS_BYTES), from);
    long to = address(frame, 0);
    SwitchPort only = isForOne(to) ? portOf.get(to) : null;
    if (only != null) {
      only.give(frame);
    } else {
      ports.stream().filter(port -> port != from).forEach(port -> port.give(frame.duplicate()));
    }
  }

  private static long address(ByteBuffer frame, int from) {
    long address = 0;
    for (int i = 0; i < ADDRESS_BYTES; i++) {
      address = (address << 8) | (frame.get(frame.position() + from + i) & 0xff);
    }
    return address;
  }

  /** Others have the lowest bit of their first byte set. */
  private static boolean isForOne(long address) {
    return ((address >> 40) & 1) == 0;
  }

  @Override
  public void close() {
    ports.forEach(SwitchPort::close);
  }
}
