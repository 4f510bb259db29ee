# Headers of libraries that most files of a kind read, compiled once for all of them. With QUADRIC_UNITY core/ uses them, too; without it
# core's files name every header they need.
option(QUADRIC_PRECOMPILED "Compile the headers of libraries once" ON)

set(QUADRIC_STANDARD_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <stdexcept>
    <string> <string_view> <variant> <vector> <Eigen/Core>)
set(QUADRIC_CORE_HEADERS <nlohmann/json.hpp>)
set(QUADRIC_QT_CORE_HEADERS <QByteArray> <QObject> <QProcess> <QString> <QTimer>)
set(QUADRIC_WIDGET_HEADERS <QAbstractItemModel> <QApplication> <QComboBox> <QHeaderView> <QKeyEvent> <QLabel> <QMenu> <QPainter>
    <QPushButton> <QSpinBox> <QString> <QStringList> <QTableView> <QTimer> <QToolTip> <QVBoxLayout> <QWidget>)
set(QUADRIC_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)

# A target that does nothing and lends its precompiled header to files that are compiled like it: LIBRARY for those of libraries (position
# independent code), otherwise for those of tests (position independent executables).
function(quadric_precompiled name)
    cmake_parse_arguments(arg "LIBRARY" "" "HEADERS;DEPENDS" ${ARGN})
    set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() { return 0; }\n")
    if(arg_LIBRARY)
        add_library(${name} STATIC EXCLUDE_FROM_ALL "${source}")
        quadric_library_options(${name})
    else()
        add_executable(${name} EXCLUDE_FROM_ALL "${source}")
        quadric_test_options(${name})
    endif()
    target_link_libraries(${name} PRIVATE quadric_options Eigen3::Eigen ${arg_DEPENDS})
    # What ccache asks for.
    target_compile_options(${name} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-fpch-preprocess,SHELL:-Xclang$<SEMICOLON>-fno-pch-timestamp>)
    target_precompile_headers(${name} PRIVATE ${QUADRIC_STANDARD_HEADERS} ${arg_HEADERS})
endfunction()

# quadric_use_precompiled(<target> <name>). All of them hold Eigen, whose folder is needed where ccache lets Clang preprocess. Behind a
# precompiled header GCC does not know any more that the code of std::string and std::vector is the system's, and warns of it, wrongly (its
# bug 105651).
function(quadric_use_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
        target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess$<SEMICOLON>-Wno-array-bounds$<SEMICOLON>-Wno-restrict$<SEMICOLON>-Wno-stringop-overflow$<SEMICOLON>-Wno-stringop-overread>)
    endif()
endfunction()

if(QUADRIC_PRECOMPILED AND NOT QUADRIC_TRAINER_ONLY)
    if(QUADRIC_UNITY)
        quadric_precompiled(core_headers LIBRARY HEADERS ${QUADRIC_CORE_HEADERS})
        if(QUADRIC_QT)
            quadric_precompiled(qt_core_headers LIBRARY HEADERS ${QUADRIC_CORE_HEADERS} ${QUADRIC_QT_CORE_HEADERS} DEPENDS Qt6::Core)
        endif()
    endif()
    if(QUADRIC_QT)
        quadric_precompiled(widgets_headers LIBRARY HEADERS ${QUADRIC_WIDGET_HEADERS} DEPENDS Qt6::Widgets)
    endif()
    if(BUILD_TESTING)
        quadric_precompiled(test_headers HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock)
        if(QUADRIC_QT) # Qt 6.4 asks for -fPIC in programs, too
            quadric_precompiled(qt_test_headers HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock Qt6::Core)
            quadric_precompiled(run_test_headers HEADERS <nlohmann/json.hpp> ${QUADRIC_QT_CORE_HEADERS} DEPENDS Qt6::Core)
            quadric_precompiled(widgets_test_headers HEADERS ${QUADRIC_WIDGET_HEADERS} DEPENDS Qt6::Widgets)
        endif()
    endif()
endif()
