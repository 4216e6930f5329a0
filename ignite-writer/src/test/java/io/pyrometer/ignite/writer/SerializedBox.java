package io.pyrometer.ignite.writer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import org.apache.ignite.binary.BinaryObject;
import org.apache.ignite.binary.BinaryObjectException;

/** The binary form of a box where there is no Ignite: Java's serialization. */
final class SerializedBox {
  private SerializedBox() {}

  static BinaryObject of(Codec.Box box) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(box);
    } catch (IOException e) {
      throw new BinaryObjectException("cannot be serialized", e);
    }
    return (BinaryObject)
        Proxy.newProxyInstance(
            SerializedBox.class.getClassLoader(),
            new Class<?>[] {BinaryObject.class},
            (proxy, method, arguments) ->
                method.getName().equals("size") ? bytes.size() : read(bytes.toByteArray()));
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }
}
