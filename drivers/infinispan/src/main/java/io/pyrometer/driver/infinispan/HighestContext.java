package io.pyrometer.driver.infinispan;

import io.pyrometer.load.HighestFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufTagMarshaller;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.jspecify.annotations.Nullable;

/** How members send the aggregate over a stream to one another: its Java form, in one field. */
final class HighestContext implements SerializationContextInitializer {
  private static final String FILE = "pyrometer-highest.proto";
  private static final int TAG_LENGTH_DELIMITED = 1 << 3 | 2;

  @Override
  public void registerSchema(SerializationContext context) {
    context.registerProtoFiles(
        FileDescriptorSource.fromString(
            FILE,
            """
            syntax = "proto3";
            package pyrometer;
            message Highest { bytes java = 1; }
            message Found { bytes java = 1; }
            """));
  }

  @Override
  public void registerMarshallers(SerializationContext context) {
    context.registerMarshaller(new JavaForm<>(HighestOfBytes.class, "pyrometer.Highest"));
    context.registerMarshaller(new JavaForm<>(HighestFields.class, "pyrometer.Found"));
  }

  private record JavaForm<T>(Class<T> type, String name) implements ProtobufTagMarshaller<T> {
    @Override
    public Class<T> getJavaClass() {
      return type;
    }

    @Override
    public String getTypeName() {
      return name;
    }

    @Override
    public void write(WriteContext context, T value) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(value);
      }
      context.getWriter().writeBytes(1, bytes.toByteArray());
    }

    @Override
    public T read(ReadContext context) throws IOException {
      byte @Nullable [] bytes = null;
      for (int tag = context.getReader().readTag(); tag != 0; tag = context.getReader().readTag()) {
        if (tag == TAG_LENGTH_DELIMITED) {
          bytes = context.getReader().readByteArray();
        } else {
          context.getReader().skipField(tag);
        }
      }
      if (bytes == null) {
        throw new InvalidObjectException("A message %s has no content.".formatted(name));
      }
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
        return type.cast(in.readObject());
      } catch (ClassNotFoundException e) {
        throw new IOException(e);
      }
    }
  }
}
