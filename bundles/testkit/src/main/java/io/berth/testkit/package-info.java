/**
 * Tests for the policies of third parties: contract suites to extend, and fakes of what the host gives to a policy.
 * They check at build time the rules that the host enforces at run time.
 */
@Export
@Version("2.1.0")
@NullMarked
package io.berth.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
