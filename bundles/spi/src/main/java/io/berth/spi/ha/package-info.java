/**
 * What must survive a process, small records behind compare-and-set, and who of several processes leads a role (design
 * section 2). Below 1.0 until a store and an election that span hosts run on it.
 */
@Export
@Version("0.3.0")
package io.berth.spi.ha;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
