/**
 * Distribution policies: which demands compete for capacity now, and in what precedence (design section 4, step 2).
 */
@Export
@Version("1.0.0")
package io.berth.spi.distribution;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
