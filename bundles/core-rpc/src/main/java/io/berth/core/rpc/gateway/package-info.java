/**
 * The methods and stubs of the gateways, and the endpoints that this process serves. Thread-safe; a call runs on the
 * thread that delivers it. Knows {@code wire} only; {@code transport} and the root know it.
 */
@NullMarked
package io.berth.core.rpc.gateway;

import org.jspecify.annotations.NullMarked;
