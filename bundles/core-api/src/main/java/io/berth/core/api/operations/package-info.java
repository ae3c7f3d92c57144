/** What the command line, the shell and REST translate: queries and actions of users. */
@Export
@Version("1.0.0")
package io.berth.core.api.operations;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
