package io.berth.spi.signatures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What changed between two states of a package, by the rules of OSGi's semantic versioning. Stricter in one point:
 * every declaration whose text differs is a major step, even where a compiler would accept it.
 */
final class SignatureComparison {

    /** Which number of the version must grow. */
    enum Step {
        MINOR,
        MAJOR
    }

    /** One difference. */
    record Change(Step step, String text) {}

    private SignatureComparison() {}

    static List<Change> changes(PackageSignatures before, PackageSignatures after) {
        List<Change> changes = new ArrayList<>();
        before.signatures().forEach((key, old) -> {
            Signature now = after.signatures().get(key);
            if (now == null) {
                changes.add(new Change(Step.MAJOR, "removed " + old.text()));
            } else if (!now.text().equals(old.text())) {
                changes.add(new Change(Step.MAJOR, "changed " + old.text() + " to " + now.text()));
            } else if (now.role() != old.role() && now.isType()) {
                changes.add(new Change(
                        Step.MAJOR, "changed who implements " + key + " from " + old.role() + " to " + now.role()));
            }
        });
        after.signatures().forEach((key, now) -> {
            if (!before.signatures().containsKey(key)) {
                boolean breaks = now.mustBeImplemented() && before.signatures().containsKey(typeOf(now));
                changes.add(new Change(
                        breaks ? Step.MAJOR : Step.MINOR, "added " + now.text() + " (type: " + now.role() + ")"));
            }
        });
        return changes;
    }

    /** One message for each change whose step the version did not make; empty when the version is correct. */
    static List<String> missingSteps(PackageSignatures before, PackageSignatures after) {
        List<String> missing = new ArrayList<>();
        if (after.version().compareTo(before.version()) < 0) {
            missing.add(after.name() + ": version went back from " + before.version() + " to " + after.version());
        }
        for (Change change : changes(before, after)) {
            PackageVersion least = before.version().after(change.step());
            if (after.version().compareTo(least) < 0) {
                missing.add(after.name() + ": " + change.text() + ": a "
                        + change.step().name().toLowerCase(Locale.ROOT) + " change; @Version in package-info.java is "
                        + after.version() + " and must be " + least + " or more");
            }
        }
        return missing;
    }

    private static String typeOf(Signature member) {
        String withoutParameters = member.key().replaceFirst("\\(.*", "");
        return withoutParameters.substring(0, withoutParameters.lastIndexOf('.'));
    }
}
