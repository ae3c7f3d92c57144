/**
 * Small records that survive a process, changed by compare-and-set, and the election of one leader for each role among
 * several processes. The version stays below 1.0 until a store and an election that span hosts run on it.
 */
@Export
@Version("0.3.0")
@NullMarked
package io.berth.spi.ha;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
