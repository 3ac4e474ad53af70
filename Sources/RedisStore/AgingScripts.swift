internal import SwitchyardRedis

/// The scripts that find requests by time.
enum AgingScripts {
    /// The due records, and the oldest finished ones above the maximum. The asking gateway has until `later` to deal with
    /// the due ones before other gateways get them. If it dies in that time, another one gets them.
    ///
    /// Keys: the requests by when they are due, those that are over, and the key that tests writing.
    ///
    /// Arguments: the time, the end of that moment, the maximum of records in an answer, the maximum of finished ones,
    /// the prefix of the keys of records, the value that tests writing, or empty, whether records may be at another node,
    /// while a slot moves, and for how long Redis keeps the lists behind their last entry.
    ///
    /// Answers the due records, the surplus ones, the ids without a record here, and the error of the writing test, or
    /// empty. A full server takes the rest of it all the same: removals make room.
    static let due = RedisScript(
        keys: ["due", "over", "beat"],
        arguments: [
            "now", "later", "portion", "maximum", "records", "beat_value", "may_be_elsewhere", "margin",
        ],
        """
        local found = {{}, {}, {}, ''}
        local function take(list, ids, into)
            for _, id in ipairs(ids) do
                local record = redis.call('GET', records .. id)
                if record then
                    into[#into + 1] = record
                elseif may_be_elsewhere == '1' then
                    found[3][#found[3] + 1] = id
                else
                    redis.call('ZREM', list, id)
                end
            end
        end
        if beat_value ~= '' then
            local answer = redis.pcall('SET', beat, beat_value, 'PX', 86400000)
            if answer.err then found[4] = answer.err end
        end
        -- A full server refuses no write after one that needs no room.
        redis.call('ZREM', due, '')
        for _, list in ipairs({due, over}) do
            local last = redis.call('ZRANGE', list, -1, -1, 'WITHSCORES')
            if last[2] then
                redis.call('PEXPIRE', list, string.format('%.0f', math.max(0, last[2] - now) + margin))
            end
            local ids = redis.call('ZRANGEBYSCORE', list, '-inf', now, 'LIMIT', 0, portion)
            for _, id in ipairs(ids) do redis.call('ZADD', list, later, id) end
            take(list, ids, found[1])
        end
        local surplus = math.min(redis.call('ZCARD', over) - maximum, tonumber(portion))
        if surplus > 0 then take(over, redis.call('ZRANGE', over, 0, surplus - 1), found[2]) end
        return found
        """)

    /// Notes when requests are due that were found before their time, unless they have changed meanwhile.
    ///
    /// Arguments: the prefix of the keys of records, then for each its id, the first bytes of its value, and its time.
    static let postpone = RedisScript(
        keys: ["due"], arguments: ["records"],
        """
        for place = rest, #ARGV, 3 do
            if redis.call('GETRANGE', records .. ARGV[place], 0, 7) == ARGV[place + 1] then
                redis.call('ZADD', due, 'XX', ARGV[place + 2], ARGV[place])
            end
        end
        return 1
        """)

    /// The oldest finished requests. Arguments: their maximum, the prefix of the keys of records, and whether records may
    /// be at another node, while a slot moves.
    static let oldest = RedisScript(
        keys: ["over"], arguments: ["maximum", "records", "may_be_elsewhere"],
        """
        local found = {}
        for _, id in ipairs(redis.call('ZRANGE', over, 0, maximum - 1)) do
            local record = redis.call('GET', records .. id)
            if record then
                found[#found + 1] = record
            elseif may_be_elsewhere ~= '1' then
                redis.call('ZREM', over, id)
            end
        end
        return found
        """)
}
