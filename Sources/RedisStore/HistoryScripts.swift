internal import SwitchyardRedis

/// The scripts for histories.
enum HistoryScripts {
    /// The maximum of histories that one call removes, so that a script is short. The next call goes on.
    private static let budget = 256
    /// The bytes from which on the parts of a history are joined. The history of an ordinary sign-in has some 600.
    private static let maximumBytes = 8192

    /// Adds to histories, and removes those that are too old or too many.
    ///
    /// A history is a ``StoredHistory``. The list of a room has its histories by their beginning.
    ///
    /// Keys: the lists of the rooms, by the room's number. In a cluster also all histories that may be changed: while a
    /// slot moves, a key that is not named would be made anew at a node that does not have it.
    ///
    /// Arguments:
    /// - `histories`: the prefix of the keys of histories
    /// - `now`, `life`: the time, and the lifetime of a history in milliseconds
    /// - `maximums`: the maximum of histories of each room, with a space between
    /// - `form`: the first byte of a history
    /// - then for each history its reference, its room, and the part to add
    ///
    /// Answers two lists of numbers of histories. The keys of the first hold another value, such as a newer gateway's. They
    /// are left alone, and do not stop the others. The second are so long that their parts should be joined.
    static let add = RedisScript(
        keys: [], arguments: ["histories", "now", "life", "maximums", "form"],
        """
        local refused, long, added = {}, {}, {}
        for i = rest, #ARGV, 3 do
            local reference, room, part, number = ARGV[i], tonumber(ARGV[i + 1]), ARGV[i + 2], (i - rest) / 3 + 1
            local history = histories .. reference
            if redis.call('SET', history, part, 'PX', life, 'NX') then
                added[reference] = room + 1
            elseif redis.pcall('GETRANGE', history, '0', '0') ~= form then
                refused[#refused + 1] = number
            else
                -- APPEND is not among the commands that users of Redis were told to allow.
                local parts = redis.call('GET', history) .. part
                redis.call('SET', history, parts, 'KEEPTTL')
                if #parts > \(maximumBytes) then long[#long + 1] = number end
                -- A history of the first room may turn out to belong to a request.
                if room == 1 and (added[reference] == 1 or redis.call('ZREM', KEYS[1], reference) == 1) then
                    added[reference] = 2
                end
            end
        end
        -- One command for each room, because a command costs more than an entry.
        local lists = {}
        for reference, room in pairs(added) do
            local list = lists[room] or {}
            lists[room] = list
            list[#list + 1] = now
            list[#list + 1] = reference
        end
        for room, list in pairs(lists) do redis.call('ZADD', KEYS[room], unpack(list)) end
        local room = 0
        for maximum in string.gmatch(maximums, '%d+') do
            room = room + 1
            local over = redis.call(
                'ZRANGEBYSCORE', KEYS[room], '-inf', string.format('%.0f', now - life), 'LIMIT', 0, \(budget))
            if #over > 0 then redis.call('ZREM', KEYS[room], unpack(over)) end
            redis.call('PEXPIRE', KEYS[room], life)
            local surplus = math.min(redis.call('ZCARD', KEYS[room]) - maximum, \(budget))
            if surplus > 0 then
                local gone = redis.call('ZRANGE', KEYS[room], 0, surplus - 1)
                redis.call('ZREM', KEYS[room], unpack(gone))
                for n = 1, #gone do redis.call('DEL', histories .. gone[n]) end
            end
        end
        return {refused, long}
        """)

    /// Replaces a history by the same one in fewer bytes, unless a part was added meanwhile. Key: the history. Arguments: the
    /// value that was read, and the new one.
    static let join = RedisScript(
        keys: ["history"], arguments: ["before", "after"],
        """
        if redis.call('GET', history) == before then redis.call('SET', history, after, 'KEEPTTL') end
        return 1
        """)
}
