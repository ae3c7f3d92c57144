/**
 * The logs of workers and their tasks: what is asked for them, what is answered, and how a worker lays them out on disk.
 * The values are immutable; {@link LogFolder} blocks on files, so it is not for a main thread. It knows the ids of tasks
 * and nothing else of the core.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.log;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
