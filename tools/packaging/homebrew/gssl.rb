class Gssl < Formula
  desc "Labels for every vertex of a graph from a few given labels"
  homepage "https://gssl.invalid/"
  url "https://gssl.invalid/gssl-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["BSD-3-Clause", "GPL-2.0-or-later"]

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "spectra" => :build
  depends_on "boost"
  depends_on "bzip2"
  depends_on "eigen"
  depends_on "expat"
  depends_on "fmt"
  depends_on "isa-l"
  depends_on :linux
  depends_on "openblas"
  depends_on "suite-sparse"
  depends_on "xz"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_SHARED_LIBS=ON",
                    "-DGSSL_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
    pkgshare.install "datasets"
  end

  test do
    iris = pkgshare/"datasets/iris"
    system bin/"gssl", "label", iris/"edges.tsv", iris/"labels.tsv", "--strict", "-o", "labels.tsv"
    assert_equal 151, (testpath/"labels.tsv").readlines.size
  end
end
