package io.pyrometer.protocol;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Properties;

/** Sentences of the reference about settings, by name, from the files of all modules. */
final class SettingMeanings {
  private static final String FILE = "META-INF/pyrometer/settings.properties";
  private static final Properties ALL = read();

  private SettingMeanings() {}

  /** The meaning of a setting; empty where no file has it. */
  static String of(String name) {
    return ALL.getProperty(name, "");
  }

  private static Properties read() {
    Properties all = new Properties();
    try {
      for (URL file : Collections.list(SettingMeanings.class.getClassLoader().getResources(FILE))) {
        try (Reader in = new InputStreamReader(file.openStream(), StandardCharsets.UTF_8)) {
          all.load(in);
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return all;
  }
}
