/** The description of a job and what is known of its state. */
@Export
@Version("1.0.0")
package io.berth.core.api.job;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
