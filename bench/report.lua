-- Prints the exact figures of a run as JSON, below the summary of wrk.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"bytes":%.0f,"duration_us":%d,"p99_us":%.0f,"status":%d,"broken":%d}\n',
    summary.requests, summary.bytes, summary.duration, latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
