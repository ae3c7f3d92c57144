/**
 * Converts the values that gateways exchange to messages; the conversion is derived from the records and the schema.
 * Derived objects are thread-safe. Knows no other room; {@code gateway}, {@code transport} and the root know it.
 */
@NullMarked
package io.berth.core.rpc.wire;

import org.jspecify.annotations.NullMarked;
