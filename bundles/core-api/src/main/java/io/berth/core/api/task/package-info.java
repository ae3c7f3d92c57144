/** The task runtimes of a worker and their tasks. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.task;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
