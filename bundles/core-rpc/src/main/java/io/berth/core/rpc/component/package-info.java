/**
 * The components that provide the transport, the directory of roles and the list of roles as services. Thread-safe.
 * Knows the root only; no other room knows it.
 */
@NullMarked
package io.berth.core.rpc.component;

import org.jspecify.annotations.NullMarked;
