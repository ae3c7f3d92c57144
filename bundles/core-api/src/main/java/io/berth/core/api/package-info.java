/** Identities and fencing tokens of the internal protocol. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
