# Headers of libraries that most files of a kind read, compiled once for all of them. Clang's builds do without and so prove
# that every file names the headers that it needs.
option(QUADRIC_PRECOMPILED "Compile the libraries' headers once for all files that read them (GCC)" ON)

set(QUADRIC_STANDARD_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <stdexcept>
    <string> <string_view> <variant> <vector> <Eigen/Core>)
set(QUADRIC_WIDGET_HEADERS <QAbstractItemModel> <QApplication> <QComboBox> <QHeaderView> <QKeyEvent> <QLabel> <QMenu> <QPainter>
    <QPushButton> <QSpinBox> <QString> <QStringList> <QTableView> <QTimer> <QToolTip> <QVBoxLayout> <QWidget>)
set(QUADRIC_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)

# A target that does nothing and lends its precompiled header to files that are compiled like it: KIND is EXECUTABLE or OBJECT,
# position-independent in two ways.
function(quadric_precompiled name kind)
    cmake_parse_arguments(arg "" "" "HEADERS;DEPENDS" ${ARGN})
    set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() { return 0; }\n")
    if(kind STREQUAL "OBJECT")
        add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
    else()
        add_executable(${name} EXCLUDE_FROM_ALL "${source}")
    endif()
    target_link_libraries(${name} PRIVATE quadric_options Eigen3::Eigen ${arg_DEPENDS})
    target_compile_options(${name} PRIVATE -fpch-preprocess) # ccache asks for it
    target_precompile_headers(${name} PRIVATE ${QUADRIC_STANDARD_HEADERS} ${arg_HEADERS})
endfunction()

# quadric_use_precompiled(<target> <name>). Of strings built from literals GCC 12 warns, wrongly (its bug 105651): behind a precompiled
# header it does not know any more that std::string's code is the system's.
function(quadric_use_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
        target_compile_options(${target} PRIVATE -fpch-preprocess)
        if(NOT name STREQUAL "widgets_headers")
            target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
        endif()
    endif()
endfunction()

if(QUADRIC_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    quadric_precompiled(core_headers OBJECT HEADERS <Eigen/Cholesky> <Eigen/QR>)
    if(QUADRIC_QT)
        quadric_precompiled(run_headers OBJECT HEADERS <QByteArray> <QObject> <QString> <nlohmann/json.hpp> DEPENDS Qt6::Core nlohmann_json::nlohmann_json)
        quadric_precompiled(widgets_headers EXECUTABLE HEADERS ${QUADRIC_WIDGET_HEADERS} DEPENDS Qt6::Widgets)
    endif()
    if(BUILD_TESTING)
        quadric_precompiled(test_headers EXECUTABLE HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock)
        if(QUADRIC_QT) # what links Qt is compiled with -fPIC
            quadric_precompiled(qt_test_headers EXECUTABLE HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock Qt6::Core)
        endif()
    endif()
endif()
