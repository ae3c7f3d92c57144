/**
 * What must survive a process: small records behind compare-and-set (design section 2). Below 1.0 until a store that
 * spans hosts runs on it.
 */
@Export
@Version("0.1.0")
package io.berth.spi.ha;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
