find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)         # study files, worker protocol
find_package(CLI11 2.1 REQUIRED)                  # command lines
include(QuadricCpuEngine)
if(NOT QUADRIC_TRAINER_ONLY)
    find_package(Eigen3 3.4 REQUIRED NO_MODULE)   # linear algebra
    find_package(Boost 1.74 REQUIRED)             # Boost.Math: distributions
    find_package(NLopt 2.7 REQUIRED)              # search for the best settings
    # Random forest and perceptron of core/plan/opinion. Debian's package of OpenCV's CMake files asks for all of OpenCV.
    find_path(QUADRIC_OPENCV_INCLUDE opencv2/ml.hpp PATH_SUFFIXES opencv4 REQUIRED)
    find_library(QUADRIC_OPENCV_ML opencv_ml REQUIRED)
    find_library(QUADRIC_OPENCV_CORE opencv_core REQUIRED)
    add_library(quadric_opencv_ml INTERFACE)
    target_include_directories(quadric_opencv_ml SYSTEM INTERFACE "${QUADRIC_OPENCV_INCLUDE}")
    target_link_libraries(quadric_opencv_ml INTERFACE "${QUADRIC_OPENCV_ML}" "${QUADRIC_OPENCV_CORE}")
endif()

if(QUADRIC_QT)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Network Gui Widgets Charts Svg PrintSupport Test)
    # It also defines the folders of each test, for QFINDTESTDATA, which no test uses: without them a compiler cache serves every clone.
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
    find_package(QCustomPlotQt6 CONFIG REQUIRED)  # plots with two axes
    find_package(qpdf REQUIRED)                   # bookmarks and authors of PDF documents; its package file accepts no other major version
    if(qpdf_VERSION VERSION_LESS 11)
        message(FATAL_ERROR "qpdf ${qpdf_VERSION} was found in ${qpdf_DIR}; version 11 or newer is needed")
    endif()
elseif(QUADRIC_FUZZ)
    find_package(Qt6 6.4 QUIET COMPONENTS Core Network) # fuzz targets of what core/run reads; without it they are left out
endif()
if(BUILD_TESTING)
    find_package(GTest REQUIRED)
endif()
if(QUADRIC_BENCHMARKS)
    find_package(benchmark REQUIRED)
endif()
