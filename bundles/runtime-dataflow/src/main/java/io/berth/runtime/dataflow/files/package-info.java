/** The operators that come with the runtime: {@code file-source} and {@code file-sink}. */
package io.berth.runtime.dataflow.files;
