internal import SwitchyardRedis

/// The scripts for wrong release proofs. Key: the wrong proofs of the last hour, by their time.
enum WrongProofScripts {
    /// Tells all gateways of a wrong proof. Arguments: the proof's name, its time, the time before which proofs are
    /// forgotten, the maximum of proofs, their lifetime in Redis, the channel, and the message to publish on it.
    static let share = RedisScript(
        keys: ["proofs"], arguments: ["name", "time", "oldest", "maximum", "life", "channel", "message"],
        """
        redis.call('ZADD', proofs, time, name)
        for _, old in ipairs(redis.call('ZRANGEBYSCORE', proofs, '-inf', '(' .. oldest, 'LIMIT', 0, 512)) do
            redis.call('ZREM', proofs, old)
        end
        local surplus = redis.call('ZCARD', proofs) - maximum
        if surplus > 0 then
            for _, old in ipairs(redis.call('ZRANGE', proofs, 0, surplus - 1)) do redis.call('ZREM', proofs, old) end
        end
        redis.call('PEXPIRE', proofs, life)
        redis.call('PUBLISH', channel, message)
        return 1
        """)

    /// Tells all gateways that a wrong proof no longer counts. Arguments: the proof's name, the channel, and the message to
    /// publish on it.
    static let forgive = RedisScript(
        keys: ["proofs"], arguments: ["name", "channel", "message"],
        """
        redis.call('ZREM', proofs, name)
        redis.call('PUBLISH', channel, message)
        return 1
        """)
}
