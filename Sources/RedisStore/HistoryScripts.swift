internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// The scripts for histories.
enum HistoryScripts {
    /// The maximum of histories that one call removes, so that a script is short. The next call goes on.
    private static let budget = 256

    /// Adds to histories, and removes those that are too old or too many.
    ///
    /// A history is a hash: a field for each event, and one without a name for its room, the time of its beginning, the
    /// number of its events, and its app. The list of a room has its histories by their beginning.
    ///
    /// Keys: the lists of the rooms, by the room's number. In a cluster also all histories that may be changed: while a
    /// slot moves, a key that is not named would be made anew at a node that does not have it.
    ///
    /// Arguments:
    /// - `histories`: the prefix of the keys of histories
    /// - `now`, `life`: the time, and the lifetime of a history in milliseconds
    /// - `maximums`: the maximum of histories of each room, with a space between
    /// - then for each history its reference, its room, its app, whether it may have been added already, and the number
    ///   of entries; and for each entry its event, `first last count`, and the particulars
    ///
    /// After a lost answer, an entry may be known already. It is not counted again if the history has such an event at
    /// that time. Only then, because loops and gateways see the same event at the same time.
    ///
    /// Answers the numbers of the histories whose keys hold another value, such as a newer gateway's. They are left
    /// alone, and do not stop the others.
    static let add = RedisScript(
        keys: [], arguments: ["histories", "now", "life", "maximums"],
        """
        local function integer(value) return string.format('%.0f', value) end
        local i, number, refused = rest, 0, {}
        while i <= #ARGV do
            number = number + 1
            local reference, room, app = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2]
            local may_be_added, entries = ARGV[i + 3] == '1', tonumber(ARGV[i + 4])
            local first_entry = i + 5
            i = first_entry + 3 * entries
            local events = {''}
            for entry = first_entry, i - 1, 3 do events[#events + 1] = ARGV[entry] end
            local history = histories .. reference
            local known = redis.pcall('HMGET', history, unpack(events))
            local old_room, begun, size, old_app
            if known[1] then
                old_room, begun, size, old_app = string.match(known[1], '^([01]) (%d+) (%d+) (.*)$')
                old_room, size = tonumber(old_room), tonumber(size)
            end
            if known.err or known[1] and not old_room then
                refused[#refused + 1] = number
            else
                if old_room then
                    room = math.max(room, old_room)
                    if old_app ~= '' then app = old_app end
                else
                    begun, size = now, 0
                end
                if room ~= old_room then
                    if old_room then redis.call('ZREM', KEYS[old_room + 1], reference) end
                    redis.call('ZADD', KEYS[room + 1], begun, reference)
                end
                local set = {}
                for n = 2, #events do
                    local entry = first_entry + 3 * (n - 2)
                    local times, particulars, value = ARGV[entry + 1], ARGV[entry + 2], nil
                    if known[n] then
                        local a, b, c, place, old = string.match(known[n], '^(%d+) (%d+) (%d+) (%d+) (.*)$')
                        local first, last, count = string.match(times, '^(%d+) (%d+) (%d+)$')
                        if a and (not may_be_added or tonumber(first) < tonumber(a) or tonumber(last) > tonumber(b)) then
                            value = integer(math.min(first, a)) .. ' ' .. integer(math.max(last, b)) .. ' '
                                .. integer(count + c) .. ' ' .. place .. ' ' .. old
                        end
                    elseif size < \(Timeline.maximumEntries) then
                        value = times .. ' ' .. size .. ' ' .. particulars
                        size = size + 1
                    end
                    if value then
                        set[#set + 1] = events[n]
                        set[#set + 1] = value
                    end
                end
                redis.call('HSET', history, '', room .. ' ' .. begun .. ' ' .. size .. ' ' .. app, unpack(set))
                if not old_room then redis.call('PEXPIRE', history, life) end
            end
        end
        local room = 0
        for maximum in string.gmatch(maximums, '%d+') do
            room = room + 1
            local over = redis.call('ZRANGEBYSCORE', KEYS[room], '-inf', integer(now - life), 'LIMIT', 0, \(budget))
            if #over > 0 then redis.call('ZREM', KEYS[room], unpack(over)) end
            redis.call('PEXPIRE', KEYS[room], life)
            local surplus = math.min(redis.call('ZCARD', KEYS[room]) - maximum, \(budget))
            if surplus > 0 then
                local gone = redis.call('ZRANGE', KEYS[room], 0, surplus - 1)
                redis.call('ZREM', KEYS[room], unpack(gone))
                for n = 1, #gone do redis.call('DEL', histories .. gone[n]) end
            end
        end
        return refused
        """)
}
