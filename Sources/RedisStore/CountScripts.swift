internal import SwitchyardRedis

/// The scripts that count requests and bytes, in one hash for all counts.
///
/// A count is a field: `all`, or one of an app, an address or a network (``CountChange/Kind``). Its value lists amounts by
/// the minute in which they lapse, each as ` minute:unfinished:bytes:kept`. Amounts that were never given back lapse with
/// their minute. A sign-in counts three times, so the functions for that work on the text itself.
enum CountScripts {
    /// The functions for ``Scripts/write`` and for the scripts here.
    static let functions = """
        -- The text of a count without lapsed amounts, and its sums.
        local function live(text, now)
            local unfinished, bytes, has_lapsed = 0, 0, false
            for minute, u, b in string.gmatch(text, ' (%d+):(%d+):(%d+)') do
                if tonumber(minute) < now then
                    has_lapsed = true
                else
                    unfinished, bytes = unfinished + u, bytes + b
                end
            end
            if has_lapsed then
                text = string.gsub(text, ' (%d+):%d+:%d+:%d+', function(minute)
                    if tonumber(minute) < now then return '' end
                end)
            end
            return text, unfinished, bytes
        end

        -- Adds to the amounts of a minute, or takes from them. Amounts that lapsed already are not given back.
        local function add(text, minute, unfinished, bytes, kept)
            local first, last, u, b, k = string.find(text, ' ' .. minute .. ':(%d+):(%d+):(%d+)')
            u, b, k = math.max(0, (u or 0) + unfinished), math.max(0, (b or 0) + bytes), math.max(0, (k or 0) + kept)
            local amount = ''
            if u + b + k > 0 then amount = ' ' .. minute .. ':' .. u .. ':' .. b .. ':' .. k end
            if not first then return text .. amount end
            return string.sub(text, 1, first - 1) .. amount .. string.sub(text, last + 1)
        end

        -- Counts a change, as `CountChange` appends it to the arguments, from the number `first` on. Answers 0, or the
        -- limit without room: twice the place of its count, and one less for unfinished requests.
        local function count(key, first)
            local names = {}
            for place = first + 9, #ARGV, 4 do names[#names + 1] = ARGV[place] end
            if #names == 0 then return 0 end
            local now, from, to = tonumber(ARGV[first]), ARGV[first + 1], ARGV[first + 2]
            local old_unfinished, old_bytes, old_kept = ARGV[first + 3], ARGV[first + 4], ARGV[first + 5]
            local unfinished, bytes, kept = ARGV[first + 6], ARGV[first + 7], ARGV[first + 8]
            local more_unfinished, more_bytes, more_kept = unfinished - old_unfinished, bytes - old_bytes, kept - old_kept
            local texts, set, gone = redis.call('HMGET', key, unpack(names)), {}, {}
            for i = 1, #names do
                local place = first + 5 + 4 * i
                local text, most_unfinished, most_bytes = texts[i] or '', ARGV[place + 1], ARGV[place + 2]
                if most_unfinished ~= '' or most_bytes ~= '' then
                    local sum, sum_of_bytes
                    text, sum, sum_of_bytes = live(text, now)
                    if most_unfinished ~= '' and more_unfinished > 0 and sum + more_unfinished > tonumber(most_unfinished)
                    then
                        return 2 * i - 1
                    end
                    if most_bytes ~= '' and more_bytes > 0 and sum_of_bytes + more_bytes > tonumber(most_bytes) then
                        return 2 * i
                    end
                end
                local sides = ARGV[place + 3]
                if sides == 'both' and from == to then
                    text = add(text, to, more_unfinished, more_bytes, more_kept)
                else
                    if sides ~= 'after' then text = add(text, from, -old_unfinished, -old_bytes, -old_kept) end
                    if sides ~= 'before' then text = add(text, to, unfinished, bytes, kept) end
                end
                if text == '' then
                    gone[#gone + 1] = names[i]
                else
                    set[#set + 1] = names[i]
                    set[#set + 1] = text
                end
            end
            if #set > 0 then redis.call('HSET', key, unpack(set)) end
            if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
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
        keys: ["counts"], arguments: ["minute", "cursor", "life"], prelude: functions,
        """
        local function lapse(name, text)
            local left = live(text, tonumber(minute))
            if not string.find(left, '^ %d') then
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
