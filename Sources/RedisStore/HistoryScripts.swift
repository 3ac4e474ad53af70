internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// The scripts for histories.
enum HistoryScripts {
    /// Adds to histories.
    ///
    /// Keys: in a cluster, all that may be changed. While a slot moves, a key that is not named would be made anew at a
    /// node that does not have it.
    ///
    /// Arguments: the prefix of the keys of histories, the time, the lifetime of a history, and the prefix of the names
    /// of shares. Then for each history its reference, its share, its app, whether it may have been added already, and
    /// the number of entries. For each entry its event, the first and the last time, the count, and the particulars.
    ///
    /// After a lost answer, an entry may be known already. It is not counted again if the history has such an event at
    /// that time. Only then, because loops and gateways see the same event at the same time.
    ///
    /// Answers the numbers of the histories whose keys hold another value, such as a newer gateway's. They are left
    /// alone, and do not stop the others.
    static let add = RedisScript(
        """
        local width, none = \(TimelineShare.beginners + 1), \(TimelineShare.beginners)
        local function joined(own, other)
            local beginner = own % width
            if beginner == none then beginner = other % width end
            return math.max(math.floor(own / width), math.floor(other / width)) * width + beginner
        end
        local shares = ARGV[4]
        local i, number, refused = 5, 0, {}
        while i <= #ARGV do
            number = number + 1
            local reference, share, app = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
            local doubted, count = ARGV[i + 3] == '1', tonumber(ARGV[i + 4])
            i = i + 5
            local key = ARGV[1] .. reference
            local meta = redis.pcall('HGET', key, '')
            local old, created, name
            if type(meta) == 'string' then
                old, created, name = string.match(meta, '^(%d+) (%d+) (.*)$')
                old = tonumber(old)
            end
            if meta and not (old and old < \(TimelineShare.count)) then
                refused[#refused + 1] = number
                i, count = i + 5 * count, 0
            elseif meta then
                share = joined(old, share)
                if name ~= '' then app = name end
                if share ~= old then
                    redis.call('ZREM', shares .. old, reference)
                    redis.call('ZADD', shares .. share, created, reference)
                end
                redis.call('HSET', key, '', share .. ' ' .. created .. ' ' .. app)
            else
                redis.call('ZADD', shares .. share, ARGV[2], reference)
                redis.call('HSET', key, '', share .. ' ' .. ARGV[2] .. ' ' .. app)
                redis.call('PEXPIRE', key, ARGV[3])
            end
            local size = count > 0 and redis.call('HLEN', key)
            for _ = 1, count do
                local event, first, last, times = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
                local particulars = ARGV[i + 4]
                i = i + 5
                local known = redis.call('HGET', key, event)
                local place
                if known then
                    local a, b, c, d, rest = string.match(known, '^(%d+) (%d+) (%d+) (%d+) (.*)$')
                    a, b, c = tonumber(a), tonumber(b), tonumber(c)
                    if a and (not doubted or first < a or last > b) then
                        first, last, times, particulars = math.min(first, a), math.max(last, b), times + c, rest
                        place = tonumber(d)
                    end
                elseif size <= \(Timeline.maximumEntries) then
                    place = size
                    size = size + 1
                end
                if place then
                    local value = string.format('%.0f %.0f %.0f %.0f %s', first, last, times, place, particulars)
                    redis.call('HSET', key, event, value)
                end
            end
        end
        return refused
        """)

    /// Forgets what is too old or too much, as `TimelineRoom` says. Key: what the names of shares begin with.
    /// Arguments: what the keys of histories begin with, before which time all of them are over, how many of requests
    /// there may be, and how many each kind keeps, by its rank.
    static let trim = RedisScript(
        """
        local width = \(TimelineShare.beginners + 1)
        local counts, totals, last = {}, {}, #ARGV - 4
        for kind = 0, last do
            totals[kind] = 0
            for share = kind * width, kind * width + width - 1 do
                redis.call('ZREMRANGEBYSCORE', KEYS[1] .. share, '-inf', ARGV[2])
                counts[share] = redis.call('ZCARD', KEYS[1] .. share)
                totals[kind] = totals[kind] + counts[share]
            end
        end
        -- The oldest of the largest share goes first. A script is not to take long; the next one goes on.
        local budget = 2000
        local function take(kind, surplus)
            while surplus > 0 and budget > 0 do
                local largest = kind * width
                for share = kind * width, kind * width + width - 1 do
                    if counts[share] > counts[largest] then largest = share end
                end
                if counts[largest] == 0 then return surplus end
                -- Some at once, but not so many that the newest of a small share go before older ones of others.
                local some = math.min(surplus, budget, 16, math.ceil(counts[largest] / 8))
                local gone = redis.call('ZPOPMIN', KEYS[1] .. largest, some)
                for i = 1, #gone, 2 do redis.call('DEL', ARGV[1] .. gone[i]) end
                local number = #gone / 2
                counts[largest], surplus, budget = counts[largest] - number, surplus - number, budget - number
            end
            return surplus
        end
        take(0, totals[0] - tonumber(ARGV[4]))
        local surplus = -tonumber(ARGV[3])
        for kind = 1, last do surplus = surplus + totals[kind] end
        for kind = 1, last do
            local own = math.min(surplus, totals[kind] - tonumber(ARGV[4 + kind]))
            if own > 0 then surplus = surplus - own + take(kind, own) end
        end
        return 'OK'
        """)
}
