-- Requests for the redirect URIs of so many apps, in random order. Arguments: the number of apps, the query.

-- wrk calls `done` in the state that loads this file, so it has to be there before any thread starts.
dofile(debug.getinfo(1, "S").source:match("^@(.*)/") .. "/report.lua")

local requests = {}

function init(arguments)
    math.randomseed(1)
    for number = 1, tonumber(arguments[1]) do
        requests[number] = wrk.format("GET", string.format("/app%06d/auth?%s", number - 1, arguments[2]))
    end
end

function request()
    return requests[math.random(#requests)]
end
