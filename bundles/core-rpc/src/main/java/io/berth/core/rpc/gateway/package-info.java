/**
 * The gateways as methods and stubs, and the endpoints that this process serves. Safe for any thread; a call runs on
 * the thread that brings it. Knows {@code wire} only; {@code transport} and the root know it.
 */
@NullMarked
package io.berth.core.rpc.gateway;

import org.jspecify.annotations.NullMarked;
