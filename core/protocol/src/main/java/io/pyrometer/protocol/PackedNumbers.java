package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Numbers in a message: eight bytes each, deflated, Base64. */
public record PackedNumbers(@JsonValue String encoded) {

  /** Reads the encoded form. */
  @JsonCreator
  public PackedNumbers {}

  public static PackedNumbers of(long... numbers) {
    ByteBuffer plain = ByteBuffer.allocate(Long.BYTES * numbers.length);
    plain.asLongBuffer().put(numbers);
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(deflated)) {
      deflater.write(plain.array());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new PackedNumbers(Base64.getEncoder().encodeToString(deflated.toByteArray()));
  }

  /** The numbers, in a new array. */
  public long[] numbers() {
    InputStream bytes = new ByteArrayInputStream(Base64.getDecoder().decode(encoded));
    try (InflaterInputStream inflater = new InflaterInputStream(bytes)) {
      byte[] plain = inflater.readAllBytes();
      long[] numbers = new long[plain.length / Long.BYTES];
      ByteBuffer.wrap(plain).asLongBuffer().get(numbers);
      return numbers;
    } catch (IOException broken) {
      throw new UncheckedIOException("Packed numbers of a message are broken.", broken);
    }
  }
}
