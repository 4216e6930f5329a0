package io.pyrometer.cli;

import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.journal.RunException;
import io.pyrometer.protocol.message.Messages;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrometer explain}. */
@Command(name = "explain", mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private static final String DOCTOR = "doctor.";

  @Spec CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID")
  Optional<String> id = Optional.empty();

  @Option(names = "--markdown")
  boolean markdown;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Messages messages = Messages.bundled();
    if (markdown) {
      out.print(FindingsPage.of(messages));
    } else if (id.isEmpty()) {
      messages.ids().forEach(out::println);
    } else {
      for (String found : named(messages, id.get())) {
        out.println(found);
        FindingsPage.parts(messages, found)
            .forEach(
                (part, text) -> HealthReportText.paragraph(out, "   %-9s ".formatted(part), text));
      }
    }
    out.flush();
    return Main.OK;
  }

  /** The id and its variants. */
  private static List<String> named(Messages messages, String name) {
    List<String> found =
        messages.ids().stream()
            .filter(
                id ->
                    Stream.of(name, DOCTOR + name)
                        .anyMatch(each -> id.equals(each) || id.startsWith(each + ".")))
            .toList();
    if (found.isEmpty()) {
      throw new RunException(
          "There is no finding '%s'%s; '%s explain' prints all ids."
              .formatted(
                  name,
                  SpellingSuggestion.to(name, messages.ids())
                      .or(() -> SpellingSuggestion.to(DOCTOR + name, messages.ids()))
                      .map(right -> " (did you mean '" + right + "'?)")
                      .orElse(""),
                  Home.command()));
    }
    return found;
  }
}
