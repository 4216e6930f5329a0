/** Words of findings: templates in message files, and the typed values that they show. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.protocol.message;
