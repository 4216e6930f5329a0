package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API, held by a file with one line for each class and member. A removed or changed line
 * breaks programs that were compiled with an earlier version, so it needs a new major version.
 * {@code -Dpyrometer.api=true} adds the lines of new members, and never removes one.
 */
class PublicApiTest {
  private static final Path FILE = Path.of("src/test/resources/public-api.txt");

  @Test
  void noMemberIsRemovedOrChangedAndEachNewOneIsListed() throws Exception {
    List<String> held = Files.readAllLines(FILE);
    TreeSet<String> now = api();
    if (Boolean.getBoolean("pyrometer.api")) {
      TreeSet<String> all = new TreeSet<>(held);
      all.addAll(now);
      Files.write(FILE, all);
      held = new ArrayList<>(all);
    }
    assertThat(now).as("removed or changed members").containsAll(held);
    assertThat(held).as("new members; add them with -Dpyrometer.api=true").containsAll(now);
  }

  private static TreeSet<String> api() throws IOException, URISyntaxException {
    TreeSet<String> api = new TreeSet<>();
    for (Class<?> type : types()) {
      if (isVisible(type.getModifiers())) {
        api.add(declaration(type));
        for (Field field : type.getDeclaredFields()) {
          add(api, field, field.toGenericString());
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
          add(api, constructor, constructor.toGenericString());
        }
        for (Method method : type.getDeclaredMethods()) {
          add(api, method, method.toGenericString());
        }
      }
    }
    return api;
  }

  private static void add(TreeSet<String> api, Member member, String signature) {
    if (isVisible(member.getModifiers()) && !member.isSynthetic()) {
      api.add(signature);
    }
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String declaration(Class<?> type) {
    String interfaces = Arrays.toString(type.getGenericInterfaces());
    return type.toGenericString() + " extends " + type.getGenericSuperclass() + " " + interfaces;
  }

  /** The compiled classes of the library, without those of its tests. */
  private static List<Class<?>> types() throws IOException, URISyntaxException {
    Class<?> one = IgniteWriter.class;
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = root.resolve(one.getPackageName().replace('.', '/'));
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (String name : files.map(file -> file.getFileName().toString()).toList()) {
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          types.add(classOf(one.getPackageName() + "." + name.replace(".class", "")));
        }
      }
    }
    assertThat(types).contains(one);
    return types;
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
