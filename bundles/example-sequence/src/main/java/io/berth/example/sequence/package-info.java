/**
 * A job bundle with a source of numbers at a fixed rate, for demos and tests.
 * Each operator is called by the thread of its task.
 * Knows the dataflow API only.
 */
package io.berth.example.sequence;
