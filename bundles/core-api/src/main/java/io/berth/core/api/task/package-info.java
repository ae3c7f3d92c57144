/**
 * The task runtimes of a worker and their tasks. Third parties implement {@link io.berth.core.api.task.TaskRuntime}; until
 * version 1, a minor version may be incompatible with the previous one.
 */
@Export
@Version("0.1.0")
@NullMarked
package io.berth.core.api.task;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
