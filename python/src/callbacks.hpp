// Code in Python that takes part in a run.
#pragma once
#include <catena/driver/parts/controller.hpp>
#include <catena/driver/parts/event.hpp>

#include "module.hpp"

namespace catena::python {

// From an object of catena.Event: name, value, direction, terminal.
Event event_of(const py::handle& event);
// From an object of catena.Controller.
std::unique_ptr<Controller> controller_of(const py::handle& controller);

}  // namespace catena::python
