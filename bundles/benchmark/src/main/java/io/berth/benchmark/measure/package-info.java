/**
 * Processor time and allocated bytes of a run, and the costs of several runs. Confined to the thread that measures.
 * Knows no other room; {@code report}, {@code decision}, {@code churn} and the root know it.
 */
@NullMarked
package io.berth.benchmark.measure;

import org.jspecify.annotations.NullMarked;
