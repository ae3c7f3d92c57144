/**
 * How the values that gateways exchange become messages: derived from the records and the schema. Thread-safe once it
 * is derived. Knows no other room; {@code gateway}, {@code transport} and the root know it.
 */
@NullMarked
package io.berth.core.rpc.wire;

import org.jspecify.annotations.NullMarked;
