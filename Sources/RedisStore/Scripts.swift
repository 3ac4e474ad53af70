internal import SwitchyardRedis

/// The steps that Redis runs as one.
///
/// Scripts compare, write and count values that Swift has worked out. They know no rules of a request's life.
enum Scripts {
    /// The counts of one kind, in fields of a hash: `u` unfinished requests, `b` bytes, `k` requests that are kept.
    /// Each is there altogether, and by the minute in which it must be given back at the latest (`u29`). `m` is the
    /// first of those minutes. Counts that were never given back lapse with their minute.
    private static let counts = """
        local function number(value) return tonumber(value or 0) end
        local function text(value) return string.format('%.0f', value) end

        local function lapse(key, now)
            local fields = redis.call('HGETALL', key)
            local first
            for i = 1, #fields, 2 do
                local kind, minute = string.match(fields[i], '^([ubk])(%d+)$')
                if minute then
                    minute = tonumber(minute)
                    if minute < now then
                        redis.call('HDEL', key, fields[i])
                        redis.call('HINCRBY', key, kind, '-' .. fields[i + 1])
                    elseif not first or minute < first then
                        first = minute
                    end
                end
            end
            if first then redis.call('HSET', key, 'm', text(first)) else redis.call('DEL', key) end
        end

        local function limits(key, now)
            local found = redis.call('HMGET', key, 'm', 'u', 'b')
            if found[1] and tonumber(found[1]) < now then
                lapse(key, now)
                found = redis.call('HMGET', key, 'm', 'u', 'b')
            end
            return number(found[2]), number(found[3])
        end

        -- A share: the limits of u and b or -1, then u, b, k before, then u, b, k after.
        local function parse(share)
            local values = {}
            for value in string.gmatch(share, '%-?%d+') do values[#values + 1] = tonumber(value) end
            return values
        end

        -- 0, or which of the limits does not have the room.
        local function refusal(key, now, share)
            if share[1] < 0 and share[2] < 0 then return 0 end
            local u, b = limits(key, now)
            if share[1] >= 0 and share[6] > share[3] and u + share[6] - share[3] > share[1] then return 1 end
            if share[2] >= 0 and share[7] > share[4] and b + share[7] - share[4] > share[2] then return 2 end
            return 0
        end

        local function move(key, from, to, life, share)
            local found = redis.call('HMGET', key, 'm', 'u', 'b', 'k',
                'u' .. from, 'b' .. from, 'k' .. from, 'u' .. to, 'b' .. to, 'k' .. to)
            local set, gone, rest = {}, {}, 0
            local function put(field, value)
                if value == 0 then
                    gone[#gone + 1] = field
                else
                    set[#set + 1] = field
                    set[#set + 1] = text(value)
                end
            end
            for i, kind in ipairs({'u', 'b', 'k'}) do
                local there = number(found[4 + i])
                local back = math.min(there, share[2 + i])
                local more = share[5 + i]
                if back ~= 0 or more ~= 0 then
                    if from == to then
                        put(kind .. to, there - back + more)
                    else
                        put(kind .. from, there - back)
                        put(kind .. to, number(found[7 + i]) + more)
                    end
                    put(kind, number(found[1 + i]) - back + more)
                end
                rest = rest + number(found[1 + i]) - back + more
            end
            if rest == 0 then return redis.call('DEL', key) end
            if #set > 0 then
                if not found[1] or tonumber(to) < tonumber(found[1]) then
                    set[#set + 1] = 'm'
                    set[#set + 1] = to
                end
                redis.call('HSET', key, unpack(set))
            end
            if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
            if #set > 0 then redis.call('PEXPIRE', key, life) end
        end


        """

    /// Puts a record in the place of the one that was read, if that is still there.
    ///
    /// Keys:
    /// - the record, its state, its proofs
    /// - the requests by when they are due, and those that are over
    /// - the counts that the record has a share in
    ///
    /// Arguments:
    /// - the first bytes of the present value, empty for a new request
    /// - the new value, empty for a record that goes
    /// - the id, when it is due, whether it is over, and for how long Redis keeps it
    /// - the message to publish, and its channel
    /// - this minute, the minutes of the old and the new share, and how long counts are kept
    /// - whether a full server takes it, because it ends a request or makes room
    /// - the shares
    ///
    /// Answers:
    /// - `OK` when it is as asked, also if it was so before (the answer to an earlier try may be lost)
    /// - the present value if it is another one; null if it is missing
    /// - `USED` for a state that is another request's
    /// - a number for a full limit: twice the place of the count, and one less for `u`
    static let write = RedisScript(
        counts + """
            local record, state, proofs, due, over = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
            local before, after, id = ARGV[1], ARGV[2], ARGV[3]
            local head = redis.call('GETRANGE', record, 0, 7)
            if head ~= '' and head == string.sub(after, 1, 8) then return redis.status_reply('OK') end
            if head ~= before then
                if before == '' then return redis.status_reply('USED') end
                return redis.call('GET', record)
            end
            if before == '' and redis.call('EXISTS', state) == 1 then return redis.status_reply('USED') end
            local now, from, to, life = tonumber(ARGV[9]), ARGV[10], ARGV[11], ARGV[12]
            local shares = {}
            for i = 14, #ARGV do
                local place = i - 13
                shares[place] = parse(ARGV[i])
                local full = refusal(KEYS[5 + place], now, shares[place])
                if full ~= 0 then return place * 2 - 2 + full end
            end
            -- Behind a first write that needs no room it refuses none.
            if ARGV[13] == '1' then redis.call('ZREM', due, '') end
            if after == '' then
                redis.call('DEL', record, state, proofs)
                redis.call('ZREM', due, id)
                redis.call('ZREM', over, id)
            else
                redis.call('SET', record, after, 'PX', ARGV[6])
                redis.call('SET', state, id, 'PX', ARGV[6])
                local index = due
                if ARGV[5] == '1' then
                    redis.call('DEL', proofs)
                    redis.call('ZREM', due, id)
                    index = over
                end
                redis.call('ZADD', index, ARGV[4], id)
                -- It lasts as long as the longest of what is in it, and does not stay when nobody uses it any more.
                if redis.call('PTTL', index) < tonumber(ARGV[6]) then redis.call('PEXPIRE', index, ARGV[6]) end
            end
            for place, share in ipairs(shares) do move(KEYS[5 + place], from, to, life, share) end
            if ARGV[7] ~= '' then redis.call('PUBLISH', ARGV[8], ARGV[7]) end
            return redis.status_reply('OK')
            """)

    /// Moves one share, for counts that are at another server than the record. Key: the counts. Arguments: this minute, the
    /// minutes of the old and the new share, how long counts are kept, the share. Answers 0, or which limit has no room.
    static let count = RedisScript(
        counts + """
            local share = parse(ARGV[5])
            local full = refusal(KEYS[1], tonumber(ARGV[1]), share)
            if full == 0 then move(KEYS[1], ARGV[2], ARGV[3], ARGV[4], share) end
            return full
            """)

    /// The total counts, as `u`, `k`, `b`, after the old minutes have lapsed. Key: the counts. Argument: this minute,
    /// or empty to leave all minutes.
    static let usage = RedisScript(
        counts + """
            if ARGV[1] ~= '' then limits(KEYS[1], tonumber(ARGV[1])) end
            return redis.call('HMGET', KEYS[1], 'u', 'k', 'b')
            """)

    /// The record of a state. Key: the state. Argument: what the keys of records begin with.
    static let find = RedisScript(
        """
        local id = redis.call('GET', KEYS[1])
        return id and redis.call('GET', ARGV[1] .. id)
        """)

    /// The due records, and the oldest finished ones above the maximum. The asking gateway has a moment to deal with
    /// the due ones before other gateways get them. If it dies in that time, another one gets them.
    ///
    /// Keys: the requests by when they are due, those that are over, and the key that tests writing.
    ///
    /// Arguments: the time, the end of that moment, the maximum of records per answer, the maximum of finished ones,
    /// the prefix of the keys of records, the value that tests writing, or empty, and whether records may be at another
    /// node, while a slot moves.
    ///
    /// Answers the due records, the surplus ones, the ids without a record here, and the error of the writing test, or
    /// empty. A full server takes the rest of it all the same: removals make room.
    static let due = RedisScript(
        """
        local found = {{}, {}, {}, ''}
        local function take(index, ids, into)
            for _, id in ipairs(ids) do
                local record = redis.call('GET', ARGV[5] .. id)
                if record then
                    into[#into + 1] = record
                elseif ARGV[7] == '1' then
                    found[3][#found[3] + 1] = id
                else
                    redis.call('ZREM', index, id)
                end
            end
        end
        if ARGV[6] ~= '' then
            local answer = redis.pcall('SET', KEYS[3], ARGV[6], 'PX', 86400000)
            if answer.err then found[4] = answer.err end
        end
        -- Behind this first write a full server refuses none.
        redis.call('ZREM', KEYS[1], '')
        for i = 1, 2 do
            local ids = redis.call('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
            for _, id in ipairs(ids) do redis.call('ZADD', KEYS[i], ARGV[2], id) end
            take(KEYS[i], ids, found[1])
        end
        local surplus = math.min(redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[4]), tonumber(ARGV[3]))
        if surplus > 0 then take(KEYS[2], redis.call('ZRANGE', KEYS[2], 0, surplus - 1), found[2]) end
        return found
        """)

    /// The oldest of what is over. Key: the requests that are over. Arguments: how many at the most, what the keys of records
    /// begin with, and whether records may be at another node, while a slot moves.
    static let oldest = RedisScript(
        """
        local found = {}
        for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)) do
            local record = redis.call('GET', ARGV[2] .. id)
            if record then
                found[#found + 1] = record
            elseif ARGV[3] ~= '1' then
                redis.call('ZREM', KEYS[1], id)
            end
        end
        return found
        """)

    /// Marks a proof as used with a request.
    ///
    /// Key: the request's proofs. Arguments: the proof, the time, the end of its validity, for how long Redis keeps it,
    /// the maximum of proofs, and a name of the caller: the same caller asks again when an answer was lost.
    ///
    /// Answers 1 for the first use, 0 for a repeated one, 2 when there are too many.
    static let use = RedisScript(
        """
        local now, maximum, mark = tonumber(ARGV[2]), tonumber(ARGV[5]), ARGV[3] .. ' ' .. ARGV[6]
        local function isGood(mark) return tonumber(string.match(mark, '^%d+')) > now end
        local used = redis.call('HGET', KEYS[1], ARGV[1])
        if used == mark then return 1 end
        if used and isGood(used) then return 0 end
        if redis.call('HLEN', KEYS[1]) >= maximum then
            local all = redis.call('HGETALL', KEYS[1])
            for i = 1, #all, 2 do
                if not isGood(all[i + 1]) then redis.call('HDEL', KEYS[1], all[i]) end
            end
            if redis.call('HLEN', KEYS[1]) >= maximum then return 2 end
        end
        redis.call('HSET', KEYS[1], ARGV[1], mark)
        redis.call('PEXPIRE', KEYS[1], ARGV[4])
        return 1
        """)

    /// Tells all gateways of a wrong release proof. Key: those of the last hour. Arguments: the proof's name, its time, the time
    /// before which one is forgotten, how many are kept at the most, for how long Redis keeps them, the channel, and the message.
    static let shareWrongProof = RedisScript(
        """
        redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
        for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. ARGV[3], 'LIMIT', 0, 512)) do
            redis.call('ZREM', KEYS[1], name)
        end
        local surplus = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
        if surplus > 0 then
            for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, surplus - 1)) do redis.call('ZREM', KEYS[1], name) end
        end
        redis.call('PEXPIRE', KEYS[1], ARGV[5])
        redis.call('PUBLISH', ARGV[6], ARGV[7])
        return 1
        """)

    /// Tells all gateways that a wrong release proof no longer counts. Key: as for ``shareWrongProof``. Arguments: the proof's name,
    /// the channel, and the message.
    static let forgiveWrongProof = RedisScript(
        """
        redis.call('ZREM', KEYS[1], ARGV[1])
        redis.call('PUBLISH', ARGV[2], ARGV[3])
        return 1
        """)

    /// Takes the mark of a proof back. Key: as for ``use``. Arguments: the proof, and when it would be no longer good: another one
    /// that was marked meanwhile stays.
    static let takeBack = RedisScript(
        """
        local used = redis.call('HGET', KEYS[1], ARGV[1])
        if used and string.match(used, '^%d+') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
        return 1
        """)
}
