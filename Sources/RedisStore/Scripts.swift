internal import SwitchyardRedis

/// The steps of requests that Redis runs as one.
///
/// Scripts compare, write and count values that Swift has worked out. They know no rules of a request's life.
enum Scripts {
    /// Replaces the record that was read, if Redis still has that one.
    ///
    /// Keys: the record, its state, the requests by when they are due, those that are over, and the counts if they are at
    /// the same server.
    ///
    /// Arguments:
    /// - `before`: the first eight bytes of the present value, or all of it; empty for a new request
    /// - `after`: the new value, empty for a record that goes
    /// - `id`, `score`, `list`: the entry in the list of due requests (`due`), or in that of finished ones (`over`); an
    ///   empty `list` leaves it as it is
    /// - `life`: for how long Redis keeps the record; `state_life`: the same for its state, empty to leave it as it is
    /// - `channel`, `news`: the message to publish, or empty; it begins with the gateway's name
    /// - `is_full`: whether the server is full and must take the step all the same
    /// - then those of `CountChange`
    ///
    /// Answers:
    /// - `OK` if the record is as asked, also if it was so before (the answer to an earlier try may be lost)
    /// - the present value if it is another one; null if it is missing
    /// - `USED` if another request has the state
    /// - a number for a limit without room, as `count` in ``CountScripts/functions``
    static let write = RedisScript(
        keys: ["record", "state", "due", "over", "counts"],
        arguments: [
            "before", "after", "id", "score", "list", "life", "state_life", "channel", "news", "is_full",
        ],
        prelude: CountScripts.functions,
        """
        local done = redis.status_reply('OK')
        -- Redis takes numbers as text. To have Lua make it costs more than the rest of such a call.
        if before == '' then
            if not redis.call('SET', state, id, 'PX', state_life, 'NX') then
                local version = redis.call('GETRANGE', record, '0', '7')
                return version == string.sub(after, 1, 8) and done or redis.status_reply('USED')
            end
        else
            local present = redis.call('GETRANGE', record, '0', #before == 8 and '7' or '-1')
            if present ~= before then
                local version = string.sub(present, 1, 8)
                if version ~= '' and version == string.sub(after, 1, 8) then return done end
                return redis.call('GET', record)
            end
            -- A full server refuses no write after one that needs no room.
            if is_full == '1' then redis.call('ZREM', due, '') end
        end
        if counts then
            local full = count(counts, rest)
            if full ~= 0 then
                if before == '' then redis.call('DEL', state) end
                return full
            end
        end
        if after == '' then
            redis.call('DEL', record, state)
            redis.call('ZREM', due, id)
            redis.call('ZREM', over, id)
        else
            redis.call('SET', record, after, 'PX', life)
            if before ~= '' and state_life ~= '' then redis.call('PEXPIRE', state, state_life) end
            if list == 'over' then
                redis.call('ZREM', due, id)
                redis.call('ZADD', over, score, id)
            elseif list == 'due' then
                redis.call('ZADD', due, score, id)
            end
        end
        if news ~= '' then
            -- Each gateway also listens to a channel of its own, on the same connection. A gateway alone has none to tell.
            -- In a cluster, the counts are elsewhere, and gateways listen at any node. A user of an earlier version may
            -- not ask.
            local heard = counts and redis.pcall('PUBSUB', 'NUMSUB', channel, channel .. string.sub(news, 1, 8))
            if not heard or heard.err or heard[2] > heard[4] then redis.call('PUBLISH', channel, news) end
        end
        return done
        """)

    /// The record of a state. Argument: the prefix of the keys of records.
    static let find = RedisScript(
        keys: ["state"], arguments: ["records"],
        """
        local id = redis.call('GET', state)
        return id and redis.call('GET', records .. id)
        """)

    /// Marks a proof as used with a request.
    ///
    /// Arguments: the proof, the time, the end of its validity, for how long Redis keeps the proofs, the maximum of
    /// proofs, and a name of the caller: the same caller asks again if an answer was lost.
    ///
    /// Answers 1 for the first use, 0 for a repeated one, 2 when there are too many.
    static let use = RedisScript(
        keys: ["proofs"], arguments: ["proof", "now", "valid_until", "life", "maximum", "caller"],
        """
        local mark = valid_until .. ' ' .. caller
        local function is_good(mark) return tonumber(string.match(mark, '^%d+')) > tonumber(now) end
        local function is_full() return redis.call('HLEN', proofs) >= tonumber(maximum) end
        local used = redis.call('HGET', proofs, proof)
        if used == mark then return 1 end
        if used and is_good(used) then return 0 end
        if is_full() then
            local all = redis.call('HGETALL', proofs)
            for i = 1, #all, 2 do
                if not is_good(all[i + 1]) then redis.call('HDEL', proofs, all[i]) end
            end
            if is_full() then return 2 end
        end
        redis.call('HSET', proofs, proof, mark)
        redis.call('PEXPIRE', proofs, life)
        return 1
        """)

    /// Undoes the use of a proof, unless it was used again meanwhile. Arguments: the proof, and the end of its validity.
    static let undoUse = RedisScript(
        keys: ["proofs"], arguments: ["proof", "valid_until"],
        """
        local used = redis.call('HGET', proofs, proof)
        if used and string.match(used, '^%d+') == valid_until then redis.call('HDEL', proofs, proof) end
        return 1
        """)
}
