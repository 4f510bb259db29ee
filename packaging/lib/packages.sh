# shellcheck shell=bash disable=SC2034
# The packages of Debian 12 and 13 that Quadric needs, by purpose. Sourced by the scripts beside this folder.

# Compiler and build tools.
packages_build=(g++ cmake ninja-build ccache git ca-certificates pkg-config)
# Libraries of core/ and the trainer.
packages_core_libraries=(libeigen3-dev nlohmann-json3-dev libboost-dev libnlopt-dev libnlopt-cxx-dev libcli11-dev libopencv-ml-dev libdnnl-dev libgloo-dev)
# Libraries of the program. libqt6opengl6-dev (in Debian 13 a part of qt6-base-dev): Qt Charts asks for it but does not depend on it.
packages_libraries=("${packages_core_libraries[@]}" qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev libqcustomplot-dev
    libqpdf-dev fonts-noto-core)
# What the build configuration looks for when the tests are on.
packages_test_libraries=(libgtest-dev libgmock-dev libbenchmark-dev)
# What the scripts written by `quadric export` run in.
packages_test_languages=(r-base-core python3-statsmodels)
# What the worker module and quadric-torch are tried with: PyTorch on the processor.
packages_test_torch=(python3-torch)
# A display without a screen, a window manager, a hand on the mouse, what a screen reader is told, a look at PDFs.
packages_test_tools=(xvfb xauth openbox xdotool at-spi2-core dbus libglib2.0-bin imagemagick poppler-utils qpdf procps)
# A Slurm cluster of virtual nodes.
packages_test_slurm=(slurmctld slurmd slurm-client munge)
# What looks at menu entry, AppStream data, man pages and completions.
packages_test_desktop=(desktop-file-utils appstream shared-mime-info man-db groff zsh fish)
# Everything that the release build and its tests need.
packages_release_tests=("${packages_build[@]}" "${packages_libraries[@]}" "${packages_test_libraries[@]}" "${packages_test_languages[@]}" "${packages_test_torch[@]}"
    "${packages_test_tools[@]}" "${packages_test_slurm[@]}" "${packages_test_desktop[@]}")
# The sanitizer build and the fuzz targets: Clang, its sanitizers and libFuzzer, its OpenMP.
packages_clang=(clang libclang-rt-dev libomp-dev)
# Format and static checks.
packages_lint=(clang-format clang-tidy)

# Debian packages, and a critic of them.
packages_packaging=(debhelper lintian)

# install_packages NAME...: installs what is missing and nothing else; needs root or sudo only then.
install_packages() {
    local missing=() installed package
    installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/ ([^)]*)//g; s/^installed //p' | tr ', ' '\n\n')
    for package in "$@"; do
        grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "packaging: root or sudo is needed to install: ${missing[*]}" >&2; return 1; }
        as_root=(sudo)
    fi
    echo "Installing ${#missing[@]} packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure_release ROOT [--tests]: configures the release preset where that was not done yet, without tests and benchmarks unless asked for.
configure_release() {
    local root=$1 cache=$1/build/release/CMakeCache.txt options=(-DBUILD_TESTING=OFF -DQUADRIC_BENCHMARKS=OFF)
    [ "${2:-}" != --tests ] || options=(-DBUILD_TESTING=ON -DQUADRIC_BENCHMARKS=ON)
    if [ -f "$root/build/release/build.ninja" ] && { [ "${2:-}" != --tests ] || grep -q '^BUILD_TESTING:[A-Z]*=ON' "$cache"; }; then
        return 0
    fi
    mkdir -p "$root/build"
    (cd "$root" && cmake --preset release "${options[@]}" >build/configure.log 2>&1) || {
        cat "$root/build/configure.log" >&2
        return 1
    }
}

# other_release: the Debian release that this is not.
other_release() {
    grep -q '^VERSION_CODENAME=trixie' /etc/os-release && echo bookworm || echo trixie
}
