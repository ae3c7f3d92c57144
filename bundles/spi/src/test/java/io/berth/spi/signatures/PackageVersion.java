package io.berth.spi.signatures;

/** The version of a package: three numbers. */
record PackageVersion(int major, int minor, int micro) implements Comparable<PackageVersion> {

    static PackageVersion parse(String text) {
        String[] parts = text.strip().split("\\.");
        if (parts.length != 3) {
            throw new IllegalArgumentException("package version '" + text + "': expected X.Y.Z");
        }
        return new PackageVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** The smallest version that may contain such a change. Below 1.0 the minor number stands for both. */
    PackageVersion after(SignatureComparison.Step step) {
        return major > 0 && step == SignatureComparison.Step.MAJOR
                ? new PackageVersion(major + 1, 0, 0)
                : new PackageVersion(major, minor + 1, 0);
    }

    @Override
    public int compareTo(PackageVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = Integer.compare(minor, other.minor);
        return byMajor != 0 ? byMajor : byMinor != 0 ? byMinor : Integer.compare(micro, other.micro);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + micro;
    }
}
