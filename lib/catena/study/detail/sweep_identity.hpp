// What makes a sweep this one, and a record into a row.
#pragma once
#include <catena/experiment/parts/run_record.hpp>
#include <catena/study/detail/row_store.hpp>
#include <catena/study/parts/sweep_rows.hpp>

#include <string>

namespace catena {
class Catalog;
}

namespace catena::detail {

// Base, axes, samples, what is kept, version, and the key of one row of each model and of each file that an axis names, which knows the text of the file.
SweepIdentity identity_of(const SweepRows& rows, const Catalog& catalog);

// Of a row that this machine had no memory for: the next process runs it again.
inline constexpr const char* no_memory_status = "out_of_memory";
// `missing`: why a quantity that is kept is not there; empty: all are.
RowResult result_of(std::size_t row, const SweepRows& rows, const Record& record, std::string& missing);

const char* to_string(Sampling sampling);

}  // namespace catena::detail
