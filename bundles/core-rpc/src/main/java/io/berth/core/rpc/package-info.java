/**
 * Starts the transport of the gateways. What a process gets is an {@link io.berth.core.api.rpc.RpcService}; the library
 * behind it is private to this bundle. {@link io.berth.core.rpc.CarriedRpc} does without one: a simulation carries the
 * calls.
 */
@Export
@Version("1.1.0")
package io.berth.core.rpc;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
