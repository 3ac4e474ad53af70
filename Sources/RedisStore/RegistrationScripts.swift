internal import SwitchyardRedis

/// The script for registered clients. Keys: the record, and the list of all records by when they end.
enum RegistrationScripts {
    /// Replaces the record that was read, if Redis still has that one. Arguments: the record as it was read, empty for none; the
    /// new one, empty to remove it; for how long Redis keeps it; its end; the present time; the prefix of all records; the
    /// record's name behind it; and the maximum of records. Answers 1 if the record is as asked, also if it was so before: the
    /// answer to an earlier try may be lost.
    static let replace = RedisScript(
        keys: ["record", "index"],
        arguments: ["before", "after", "life", "score", "now", "prefix", "name", "maximum"],
        """
        local present = redis.call('GET', record) or ''
        if present == after then return 1 end
        if present ~= before then return 0 end
        if after == '' then
            redis.call('DEL', record)
            redis.call('ZREM', index, name)
            return 1
        end
        redis.call('SET', record, after, 'PX', life)
        redis.call('ZADD', index, score, name)
        -- ZREMRANGEBYSCORE is not among the commands that users of Redis were told to allow.
        local ended = redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', '0', '1024')
        if #ended > 0 then redis.call('ZREM', index, unpack(ended)) end
        local surplus = redis.call('ZCARD', index) - maximum
        if surplus > 0 then
            for _, last in ipairs(redis.call('ZRANGE', index, 0, surplus - 1)) do
                if last ~= name then
                    redis.call('DEL', prefix .. last)
                    redis.call('ZREM', index, last)
                end
            end
        end
        return 1
        """)
}
