/**
 * Starts the transport of the gateways, which a process uses as an {@link io.berth.core.api.gateway.RpcService}.
 * {@link io.berth.core.rpc.InProcessRpc} works without the transport, so that a simulation can carry the calls. All
 * types are thread-safe, and gRPC is private to this bundle. Knows {@code gateway}, {@code transport} and {@code wire};
 * only {@code component} knows it.
 */
@Export
@Version("1.1.0")
@NullMarked
package io.berth.core.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
