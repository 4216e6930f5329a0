package io.pyrometer.driver;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;

/**
 * Keys and records as bytes, for products that store bytes: a key is its 8 bytes, a record its
 * fields in the shape's order. Each record is encoded once.
 */
public final class RecordBytes implements RecordForm<byte[]> {
  private final List<FieldType> types;
  private final byte[][] encoded;

  /** Encodes all records of a trial. */
  public RecordBytes(Records records) {
    this.types = types(records);
    this.encoded = new byte[records.size()][];
    for (int record = 0; record < encoded.length; record++) {
      encoded[record] = encode(records.fields(record));
    }
  }

  /** The 8 bytes of a key, most significant first. */
  public static byte[] key(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }

  /** The key that was made into these 8 bytes. */
  public static long key(byte[] key) {
    return ByteBuffer.wrap(key).getLong();
  }

  @Override
  public byte[] of(int record) {
    return encoded[record];
  }

  private byte[] encode(Object[] fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int i = 0; i < fields.length; i++) {
        write(out, types.get(i), fields[i]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The types of the fields in the shape's order. */
  public static List<FieldType> types(Records records) {
    return records.shape().fields().stream().map(FieldShape::type).toList();
  }

  @Override
  public Object[] fields(byte[] stored) {
    return fields(types, stored);
  }

  /** The fields of these types that were encoded in this order. */
  public static Object[] fields(List<FieldType> types, byte[] stored) {
    Object[] fields = new Object[types.size()];
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
      for (int i = 0; i < fields.length; i++) {
        fields[i] = read(in, types.get(i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return fields;
  }

  private static void write(DataOutputStream out, FieldType type, Object value) throws IOException {
    switch (type) {
      case LONG -> out.writeLong((Long) value);
      case INT -> out.writeInt((Integer) value);
      case DOUBLE -> out.writeDouble((Double) value);
      case FLOAT -> out.writeFloat((Float) value);
      case BOOLEAN -> out.writeBoolean((Boolean) value);
      case TIMESTAMP -> out.writeLong(((Date) value).getTime());
      case STRING -> writeBytes(out, ((String) value).getBytes(StandardCharsets.UTF_8));
      case BYTES -> writeBytes(out, (byte[]) value);
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static Object read(DataInputStream in, FieldType type) throws IOException {
    return switch (type) {
      case LONG -> in.readLong();
      case INT -> in.readInt();
      case DOUBLE -> in.readDouble();
      case FLOAT -> in.readFloat();
      case BOOLEAN -> in.readBoolean();
      case TIMESTAMP -> new Date(in.readLong());
      case STRING -> new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
      case BYTES -> in.readNBytes(in.readInt());
    };
  }
}
