/**
 * With this a third party proves a policy: contract suites to extend, and fakes of what the host hands to a policy. The
 * same rules that the host enforces, at build time.
 */
@Export
@Version("1.1.0")
package io.berth.testkit;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
