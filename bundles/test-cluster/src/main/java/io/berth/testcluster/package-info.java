/**
 * A cluster in the JVM of a unit test. {@link io.berth.testcluster.BerthTestCluster} runs jobs whose operators are
 * objects of the test.
 */
@NullMarked
package io.berth.testcluster;

import org.jspecify.annotations.NullMarked;
