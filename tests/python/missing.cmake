message(FATAL_ERROR "The Python module was not built, so nothing of it is tested: scripts/setup installs what it needs. "
                    "-DCATENA_WITH_PYTHON=OFF leaves it out on purpose.")
