/** Scaling policies: how much a job asks for, and the parallelism it runs at with what it got (FLIP-160). */
@Export
@Version("1.0.0")
package io.berth.spi.scaling;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
