package io.berth.core.api.job;

/**
 * What is wrong with a description.
 *
 * @param field path of the field, for example {@code vertices[2].parallelism.min}; empty for the whole document
 * @param given what stands there
 * @param allowed what is allowed, or what to do
 */
public record Problem(String field, String given, String allowed) {

    @Override
    public String toString() {
        return (field.isEmpty() ? "job description" : field) + " is " + given + ": " + allowed;
    }
}
