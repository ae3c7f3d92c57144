/** The description of a job and its known state. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.job;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
