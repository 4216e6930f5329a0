package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API, held by a file with one line for each class and member. A removed or changed line
 * breaks programs that were compiled with an earlier version, so it needs a new major version.
 */
class PublicApiTest {
  private static final Class<?> ONE = IgniteWriter.class;

  @Test
  void noMemberIsRemovedOrChangedAndEachNewOneIsListed() throws Exception {
    List<String> api = new ArrayList<>();
    Path root = Path.of(ONE.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.list(root.resolve(ONE.getPackageName().replace('.', '/')))) {
      for (String file : files.map(each -> each.getFileName().toString()).toList()) {
        if (file.endsWith(".class") && !file.equals("package-info.class")) {
          String name = ONE.getPackageName() + "." + file.replace(".class", "");
          api.addAll(of(Class.forName(name, false, ONE.getClassLoader())));
        }
      }
    }
    assertThat(api)
        .containsExactlyInAnyOrderElementsOf(
            Files.readAllLines(Path.of("src/test/resources/public-api.txt")));
  }

  private static List<String> of(Class<?> type) {
    if (!isVisible(type.getModifiers())) {
      return List.of();
    }
    Stream<String> members =
        Stream.<Member[]>of(
                type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
            .flatMap(Arrays::stream)
            .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
            .map(
                member ->
                    member instanceof Field field
                        ? field.toGenericString()
                        : ((Executable) member).toGenericString());
    String interfaces = Arrays.toString(type.getGenericInterfaces());
    String declaration =
        type.toGenericString() + " extends " + type.getGenericSuperclass() + " " + interfaces;
    return Stream.concat(Stream.of(declaration), members).toList();
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }
}
