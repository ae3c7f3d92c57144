/** Where endpoints are and how they are named; the transport stands behind it. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.rpc;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
