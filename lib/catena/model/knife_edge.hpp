// The joints of the library stand in one table.
#pragma once
#include <catena/model/joints/table.hpp>
