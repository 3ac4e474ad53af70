-- Requests for the redirect URIs of so many apps, in random order. Arguments: the number of apps, the folder of this
-- file, the query.
local requests = {}

function init(arguments)
    dofile(arguments[2] .. "/report.lua")
    math.randomseed(1)
    for number = 1, tonumber(arguments[1]) do
        requests[number] = wrk.format("GET", string.format("/app%06d/auth?%s", number - 1, arguments[3]))
    end
end

function request()
    return requests[math.random(#requests)]
end
