package io.pyrometer.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Bytes in a message: deflated, Base64. */
final class Deflated {
  private Deflated() {}

  static String encode(byte[] bytes) {
    ByteArrayOutputStream deflated = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(deflated)) {
      deflater.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Base64.getEncoder().encodeToString(deflated.toByteArray());
  }

  static byte[] decode(String encoded) {
    byte[] bytes = Base64.getDecoder().decode(encoded);
    try (InflaterInputStream inflater = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
      return inflater.readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException("Deflated bytes of a message are broken.", broken);
    }
  }
}
