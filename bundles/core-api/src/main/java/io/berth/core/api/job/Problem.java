package io.berth.core.api.job;

/**
 * A problem in a job description.
 *
 * @param field path of the field, for example {@code vertices[2].parallelism.min}; empty for the whole document
 * @param given the value in the description
 * @param allowed what is allowed, or what to do
 */
public record Problem(String field, String given, String allowed) {

    @Override
    public String toString() {
        return (field.isEmpty() ? "job description" : field) + " is " + given + ": " + allowed;
    }
}
