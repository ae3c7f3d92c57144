/**
 * Backends: what starts and stops workers. Declarative: the ResourceManager declares how many workers of each spec are
 * needed, the backend makes it so (FLIP-6, "ResourceManager"). Below 1.0 until real cluster managers run on it.
 */
@Export
@Version("0.1.0")
package io.berth.spi.backend;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
