/** Names and addresses of endpoints, independent of the transport. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
