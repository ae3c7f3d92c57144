/**
 * Fakes for the unit tests of all core bundles and of the worker: time that a test advances, and a transport without a
 * network. They are in the test jar of this bundle.
 */
package io.berth.core.api.fake;
