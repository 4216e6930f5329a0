package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/** The one JSON mapper: what is absent is left out, what is unknown is passed over. */
public final class Json {

  /** One line a value. */
  public static final JsonMapper LINES =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .registerSubtypes(Command.class.getPermittedSubclasses())
          .registerSubtypes(Answer.class.getPermittedSubclasses())
          .registerSubtypes(Evidence.class.getPermittedSubclasses())
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  /** The mapper for files that people read. */
  public static final JsonMapper PRETTY =
      LINES.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Json() {}
}
