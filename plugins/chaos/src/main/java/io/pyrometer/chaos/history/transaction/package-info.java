/** Isolation of transactions: dependencies between them, and the anomalies that cycles show. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.history.transaction;
