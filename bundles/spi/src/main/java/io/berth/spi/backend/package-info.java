/**
 * Backends: what starts and stops workers. Declarative: the ResourceManager declares how many workers of each spec are
 * needed, the backend makes it so (FLIP-6, "ResourceManager"). What all policies have in common, threads, deadlines and
 * failure among it, is said in {@link io.berth.spi}. Below 1.0 until real cluster managers run on it.
 *
 * <p>The order of calls: {@code create}, {@code specs} once, {@code declare} any number of times, {@code close}. All
 * backends that are installed are active, one of each name, the highest ranked. When the configuration changes the new
 * backend is created first; only when that succeeds the old one is closed.
 */
@Export
@Version("0.3.0")
package io.berth.spi.backend;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
