-- The figures of a run, exact and for a program to read, below what wrk prints for people.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"bytes":%.0f,"duration_us":%d,"p99_us":%.0f,"status":%d,"broken":%d}\n',
    summary.requests, summary.bytes, summary.duration, latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
