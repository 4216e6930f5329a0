package io.pyrometer.driver.ignite.data;

import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** How the number of a key is a key of the cache, and back. */
@SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
public enum KeyForm {
  LONG(Long.class, key -> key, Long::longValue),
  STRING(String.class, "key-%016d"::formatted, key -> Long.parseLong(key.substring(4))),
  UUID(
      UUID.class, key -> new UUID(key * KeyForm.ODD, key), java.util.UUID::getLeastSignificantBits);

  /** The setting, of paths that take keys of any form. */
  public static final SettingKey<String> SETTING = GridSettings.DECLARED.text("key-form");

  /** Spreads neighbouring keys over the upper bits. */
  private static final long ODD = 0x9E3779B97F4A7C15L;

  private final Class<?> type;
  private final LongFunction<Object> toKey;
  private final ToLongFunction<Object> toNumber;

  <K> KeyForm(Class<K> type, LongFunction<K> toKey, ToLongFunction<K> toNumber) {
    this.type = type;
    this.toKey = toKey::apply;
    this.toNumber = key -> toNumber.applyAsLong(type.cast(key));
  }

  /** The form that settings name; a long where they do not. */
  public static KeyForm of(Settings settings) {
    return valueOf(settings.get(SETTING).toUpperCase(Locale.ROOT));
  }

  /** The class of keys. */
  public Class<?> type() {
    return type;
  }

  /** The key of a number from 0. */
  public Object key(long number) {
    return toKey.apply(number);
  }

  /** The number of a key. */
  public long number(Object key) {
    return toNumber.applyAsLong(key);
  }
}
