find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)         # study files, worker protocol
find_package(CLI11 2.1 REQUIRED)                  # command lines
include(QuadricCpuEngine)
if(NOT QUADRIC_TRAINER_ONLY)
    find_package(Eigen3 3.4 REQUIRED NO_MODULE)   # linear algebra
    find_package(Boost 1.74 REQUIRED)             # Boost.Math: distributions
    find_package(NLopt 2.7 REQUIRED)              # search for the best settings
endif()

if(QUADRIC_QT)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Core Network Gui Widgets Charts Svg PrintSupport Test)
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
