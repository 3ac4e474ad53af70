-- Prints what wrk measured as one line of JSON, after a marker. Times of wrk are in microseconds.
function done(summary, latency)
    local errors = summary.errors
    print(string.format(
        'RESULT {"count":%d,"seconds":%.6f,"p50_us":%.1f,"p99_us":%.1f,"failures":%d}',
        summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
