/**
 * The components that offer the transport, the directory of roles and the list of roles to the framework. Safe for any
 * thread. Knows the root only; no other package knows it.
 */
@NullMarked
package io.berth.core.rpc.component;

import org.jspecify.annotations.NullMarked;
