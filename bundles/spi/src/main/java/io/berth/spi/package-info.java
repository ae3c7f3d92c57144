/**
 * Value types shared by every extension point of Berth, and the small contract common to all policies: a factory
 * describes itself, validates a configuration and creates an instance.
 */
@Export
@Version("1.0.0")
package io.berth.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
