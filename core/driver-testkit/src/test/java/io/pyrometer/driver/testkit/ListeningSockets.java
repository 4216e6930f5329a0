package io.pyrometer.driver.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The TCP sockets that a process listens on, read from Linux's {@code /proc}. */
final class ListeningSockets {
  private static final String LISTEN = "0A";
  private static final Pattern SOCKET = Pattern.compile("socket:\\[(\\d+)]");

  /** In the byte order of {@code /proc/net/tcp} on a little-endian machine: 127.x.y.z. */
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "[0-9A-F]{6}7F|0{16}FFFF0000[0-9A-F]{6}7F|0{24}01000000", Pattern.CASE_INSENSITIVE);

  private ListeningSockets() {}

  /** Returns whether this system can tell. */
  static boolean known() {
    return Files.isReadable(Path.of("/proc/self/net/tcp"));
  }

  /** The sockets of a process that hosts other than this one can reach, as ports; {@code * :p}. */
  static List<String> beyondLoopback(ProcessHandle process) throws IOException {
    Set<String> own = inodes(process.pid());
    List<String> found = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      Path file = Path.of("/proc", String.valueOf(process.pid()), "net", table);
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > 9 && columns[3].equals(LISTEN) && own.contains(columns[9])) {
          String[] address = columns[1].split(":", -1);
          if (!LOOPBACK.matcher(address[0]).matches()) {
            found.add("port " + Integer.parseInt(address[1], 16) + " of " + table);
          }
        }
      }
    }
    return found;
  }

  private static Set<String> inodes(long pid) throws IOException {
    Set<String> inodes = new HashSet<>();
    Path descriptors = Path.of("/proc", String.valueOf(pid), "fd");
    try (DirectoryStream<Path> links = Files.newDirectoryStream(descriptors)) {
      for (Path link : links) {
        Matcher matcher = SOCKET.matcher(target(link));
        if (matcher.matches()) {
          inodes.add(matcher.group(1));
        }
      }
    }
    return inodes;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
