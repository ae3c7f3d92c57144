/**
 * Messages of the gateways to and from their form on the wire, one class per gateway. Pure functions, for any thread.
 * Knows no other room; {@code gateway}, {@code transport} and the root know it.
 */
@NullMarked
package io.berth.core.rpc.wire;

import org.jspecify.annotations.NullMarked;
