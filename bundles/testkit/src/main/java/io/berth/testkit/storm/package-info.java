/** Pools under a load that never ends, played in virtual time, to see how long units wait. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.testkit.storm;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
