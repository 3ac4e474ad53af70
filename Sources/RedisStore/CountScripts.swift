internal import SwitchyardRedis

/// The scripts that count requests and bytes, in one hash for all counts.
///
/// A count is a field: `all`, or one of an app, an address or a network (``CountChange/Kind``). Its value lists amounts by
/// the minute in which they lapse, each as minute, unfinished requests, bytes and kept requests: numbers of 4, 4, 6 and 4
/// bytes. Amounts that were never given back lapse with their minute. A sign-in counts three times, so Lua must not take
/// text apart: with text, the counts took a third of Redis's time.
enum CountScripts {
    /// The functions for ``Scripts/write`` and for the scripts here.
    static let functions = """
        -- In minutes. No gateway writes an amount that lapses later.
        local furthest = 4194304

        -- Counts a change, as `CountChange` appends it to the arguments, from the number `first` on. Answers 0, or the
        -- limit without room: twice the place of its count, and one less for unfinished requests.
        local function count(key, first)
            if not ARGV[first] then return 0 end
            local now, from, to, old_unfinished, old_bytes, old_kept, unfinished, bytes, kept =
                struct.unpack('>I4I4I4I4I6I4I4I6I4', ARGV[first])
            local more_unfinished, more_bytes = unfinished - old_unfinished, bytes - old_bytes
            local names, set, gone = {unpack(ARGV, first + 2)}, {}, nil
            local texts = redis.call('HMGET', key, unpack(names))
            for i = 1, #names do
                -- The limits are one more than they say, and 0 for none.
                local most_unfinished, most_bytes, sides = struct.unpack('>I4I6I1', ARGV[first + 1], 11 * i - 10)
                local is_before, is_after = sides ~= 2, sides ~= 1
                local text, left, sum, sum_of_bytes = texts[i] or '', '', 0, 0
                for place = 1, #text - 17, 18 do
                    local minute, u, b, k = struct.unpack('>I4I4I6I4', text, place)
                    if minute >= now and minute < now + furthest then
                        sum, sum_of_bytes = sum + u, sum_of_bytes + b
                        local is_from, is_to = is_before and minute == from, is_after and minute == to
                        if is_from then
                            u, b, k = math.max(0, u - old_unfinished), math.max(0, b - old_bytes), math.max(0, k - old_kept)
                        end
                        if is_to then
                            u, b, k, is_after = u + unfinished, b + bytes, k + kept, false
                        end
                        if not (is_from or is_to) then
                            left = left .. string.sub(text, place, place + 17)
                        elseif u + b + k > 0 then
                            left = left .. struct.pack('>I4I4I6I4', minute, u, b, k)
                        end
                    end
                end
                if most_unfinished > 0 and more_unfinished > 0 and sum + more_unfinished >= most_unfinished then
                    return 2 * i - 1
                end
                if most_bytes > 0 and more_bytes > 0 and sum_of_bytes + more_bytes >= most_bytes then return 2 * i end
                if is_after then left = left .. struct.pack('>I4I4I6I4', to, unfinished, bytes, kept) end
                if left == '' then
                    gone = gone or {}
                    gone[#gone + 1] = names[i]
                else
                    set[#set + 1] = names[i]
                    set[#set + 1] = left
                end
            end
            if set[1] then redis.call('HSET', key, unpack(set)) end
            if gone then redis.call('HDEL', key, unpack(gone)) end
            return 0
        end


        """

    /// Counts a change at another server than that of the record. Arguments: those of `CountChange`. Answers 0, or the
    /// limit without room, as ``Scripts/write`` does.
    static let count = RedisScript(keys: ["counts"], arguments: [], prelude: functions, "return count(counts, rest)")

    /// Removes amounts that have lapsed, and fields that are no counts: looks at the count of all requests, and at some
    /// further fields. Each call looks at others, so abandoned counts do not take memory for ever. Sets for how long
    /// Redis keeps the counts, too.
    ///
    /// Answers the cursor for the next call.
    static let tend = RedisScript(
        keys: ["counts"], arguments: ["minute", "cursor", "life"],
        """
        local function lapse(name, text)
            local left = ''
            for place = 1, #text - 17, 18 do
                local ahead = struct.unpack('>I4', text, place) - tonumber(minute)
                if ahead >= 0 and ahead < 4194304 then
                    left = left .. string.sub(text, place, place + 17)
                end
            end
            if left == '' then
                redis.call('HDEL', counts, name)
            elseif left ~= text then
                redis.call('HSET', counts, name, left)
            end
        end
        -- A full server takes the writes after this one.
        redis.call('PEXPIRE', counts, life)
        local all = redis.call('HGET', counts, 'all')
        if all then lapse('all', all) end
        local found = redis.pcall('HSCAN', counts, cursor, 'COUNT', 32)
        if found.err then
            -- A user of an earlier version may not run HSCAN. A large hash takes too long as a whole.
            if redis.call('HLEN', counts) > 1024 then return '0' end
            found = {'0', redis.call('HGETALL', counts)}
        end
        for i = 1, #found[2], 2 do lapse(found[2][i], found[2][i + 1]) end
        return found[1]
        """)
}
