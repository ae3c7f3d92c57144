/**
 * Heartbeats: one {@code HeartbeatMonitor} for each peer, on the side that sends them and on the side that receives them.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.heartbeat;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
