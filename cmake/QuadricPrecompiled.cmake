# Headers of libraries that most files of a kind read, compiled once for all of them. core/ does without, so that its files
# name every header they need; Clang's builds do too.
option(QUADRIC_PRECOMPILED "Compile the libraries' headers of the window and the tests once (GCC)" ON)

set(QUADRIC_STANDARD_HEADERS <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <set> <stdexcept>
    <string> <string_view> <variant> <vector> <Eigen/Core>)
set(QUADRIC_WIDGET_HEADERS <QAbstractItemModel> <QApplication> <QComboBox> <QHeaderView> <QKeyEvent> <QLabel> <QMenu> <QPainter>
    <QPushButton> <QSpinBox> <QString> <QStringList> <QTableView> <QTimer> <QToolTip> <QVBoxLayout> <QWidget>)
set(QUADRIC_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)

# A program that does nothing and lends its precompiled header to files that are compiled like it.
function(quadric_precompiled name)
    cmake_parse_arguments(arg "" "" "HEADERS;DEPENDS" ${ARGN})
    set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() { return 0; }\n")
    add_executable(${name} EXCLUDE_FROM_ALL "${source}")
    target_link_libraries(${name} PRIVATE quadric_options Eigen3::Eigen ${arg_DEPENDS})
    target_compile_options(${name} PRIVATE -fpch-preprocess) # ccache asks for it
    target_precompile_headers(${name} PRIVATE ${QUADRIC_STANDARD_HEADERS} ${arg_HEADERS})
endfunction()

# quadric_use_precompiled(<target> <name>). Tests build strings from literals, of which GCC 12 warns, wrongly (its bug 105651): behind a
# precompiled header it does not know any more that std::string's code is the system's.
function(quadric_use_precompiled target name)
    if(TARGET ${name})
        target_precompile_headers(${target} REUSE_FROM ${name})
        target_compile_options(${target} PRIVATE -fpch-preprocess)
        if(name MATCHES "test_headers")
            target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
        endif()
    endif()
endfunction()

if(QUADRIC_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if(QUADRIC_QT)
        quadric_precompiled(widgets_headers HEADERS ${QUADRIC_WIDGET_HEADERS} DEPENDS Qt6::Widgets)
    endif()
    if(BUILD_TESTING)
        quadric_precompiled(test_headers HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock)
        if(QUADRIC_QT) # what links Qt is compiled with -fPIC
            quadric_precompiled(qt_test_headers HEADERS ${QUADRIC_TEST_HEADERS} DEPENDS GTest::gtest GTest::gmock Qt6::Core)
        endif()
    endif()
endif()
