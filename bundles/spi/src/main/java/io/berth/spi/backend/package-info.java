/**
 * Backends start and stop workers. They are declarative: the ResourceManager declares how many workers of each spec it
 * needs, and the backend provides them (FLIP-6, "ResourceManager"). {@link io.berth.spi} describes what all policies
 * have in common, such as threads, deadlines and failures.
 *
 * <p>The order of calls: {@code create}, {@code specs} once, {@code declare} any number of times, {@code close}. All
 * installed backends are active, one for each name: the highest ranked. Each factory configuration of a bundle that
 * offers one backend is a further backend, named by the configuration. When the configuration changes, the new backend
 * is created first. Only when that succeeds, the old one is closed, and the new one takes over its workers.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.spi.backend;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
