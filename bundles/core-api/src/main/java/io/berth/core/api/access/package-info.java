/** The users of a cluster: what they may do, and the tokens by which they prove who they are. The values are immutable. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.access;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
