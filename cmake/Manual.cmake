# Makes a man page: cmake -DPROGRAM=… -DPAGE=TEMPLATE -DOUT=… -DQUADRIC_VERSION=… -DQUADRIC_RELEASE_DATE=… -P Manual.cmake.
# Options and commands come from the program itself; without PROGRAM the template has them.
set(QUADRIC_MANUAL "")
if(PROGRAM)
    execute_process(COMMAND "${PROGRAM}" manual -- OUTPUT_VARIABLE QUADRIC_MANUAL OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
endif()
configure_file("${PAGE}" "${OUT}" @ONLY)
