package io.pyrometer.cli;

import picocli.CommandLine;

/** Output of {@code --version}. */
final class Version implements CommandLine.IVersionProvider {
  @Override
  public String[] getVersion() {
    String commit = Home.distribution().commit();
    return new String[] {
      "Pyrometer "
          + Home.distribution().version()
          + (commit.isEmpty() ? "" : " (" + commit + ")")
          + ", Java "
          + System.getProperty("java.version")
    };
  }
}
