package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Free ports of an address, picked by the system and held until they are needed. */
final class Ports {

  private final List<ServerSocket> held = new ArrayList<>();

  List<Integer> reserve(int count, String address) {
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getAllByName(address)[0]));
      }
    } catch (IOException e) {
      throw new GridException(
          "No free port at " + address + ", which should be this host's: " + e.getMessage() + ".",
          e);
    }
    return held.stream().map(ServerSocket::getLocalPort).toList();
  }

  void release() {
    for (ServerSocket socket : held) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new GridException("Cannot release port " + socket.getLocalPort() + ".", e);
      }
    }
    held.clear();
  }
}
