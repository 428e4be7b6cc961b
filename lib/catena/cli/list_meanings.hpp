// Listings that do not come from the catalog: how runs and the program end, and the licences of what is linked.
#pragma once
#include <catena/cli/listing.hpp>

namespace catena {

// Exit codes and every Status: what it means and what to do.
void list_statuses(Listing& listing);

// The libraries that Catena links, with their licences, and what follows for a program that is passed on.
void list_licences(Listing& listing);

}  // namespace catena
