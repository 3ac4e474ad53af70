internal import SwitchyardCrypto
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// An app's server: a signed POST, again and again until the server has received it or the delivery ends.
extension Handlers {
    func deliver(_ delivery: Delivery, to webhook: Webhook) async -> DeliveryResult {
        let body = JSONValue.object([
            "app": .string(delivery.app.text), "reference": .string("\(delivery.reference)"),
            "url": .string(delivery.url.exposedText),
        ]).serialized
        var result = DeliveryResult.timedOut
        for attempt in 0... {
            guard delivery.mayTry() else { return result }
            let begin = Instant.now()
            // The ID is the same each time, so that the receiver recognizes a repetition.
            let answer = await send(body, delivery.messageID, to: webhook, until: delivery.end)
            result = answer.result
            if answer.isFinal { delivery.whenRefusedForGood() }
            if result == .ok || answer.isFinal { return result }
            let pause = WebhookRetry.pause(
                after: attempt, asked: answer.retryAfter, chance: Double.random(in: 0..<1))
            guard Instant.now() + pause < delivery.end else { return result }
            delivery.whenSetBack(result, .now() - begin)
            let next = Instant.now() + pause
            while Instant.now() < next {
                // A gateway that stops does not wait for a receiver that is out.
                if isStopping() || !delivery.mayTry() { return result }
                await EventLoop.sleep(until: min(next, .now() + .milliseconds(500)))
            }
        }
        return result
    }

    private struct Answer {
        var result: DeliveryResult
        /// Whether the receiver wants to hear no more.
        var isFinal = false
        /// In seconds.
        var retryAfter: Int?
    }

    private func send(_ body: [UInt8], _ id: String, to webhook: Webhook, until end: Instant) async -> Answer {
        let now = WallTime.now().seconds
        let left = min(Self.answerLimit, max(.milliseconds(1), end - .now()))
        var request = OutgoingRequest(
            .post, webhook.url.text,
            headers: [
                ("Content-Type", "application/json"), ("webhook-id", id), ("webhook-timestamp", "\(now)"),
                ("webhook-signature", WebhookSignature.make(id: id, time: now, body: body, key: webhook.key)),
            ], body: body, timeout: left, maximumBytes: 64 << 10, route: route,
            allowsPlainHTTP: !webhook.url.isSecure)
        // A team's file may name it, and the name may lead elsewhere than the operator thinks.
        request.destination = .namedHost
        do throws(TransferError) {
            let response = try await client.send(request)
            if (200..<300).contains(response.status) { return Answer(result: .ok) }
            return Answer(
                result: .refused, isFinal: response.status == 410, retryAfter: response.retryAfter(now: now))
        } catch {
            switch error.kind {
            case .timedOut: return Answer(result: .timedOut)
            case .notConnected: return Answer(result: .unreachable)
            case .invalidRequest: return Answer(result: .unreachable, isFinal: true)
            case .tooLarge, .interrupted, .malformedResponse: return Answer(result: .failed)
            }
        }
    }
}

/// The signature of Standard Webhooks, version 1.
enum WebhookSignature {
    /// - Parameter time: in seconds since 1970.
    static func make(id: String, time: Int64, body: [UInt8], key: Secret) -> String {
        "v1,\(Base64.encode(HMACSHA256.code(for: Array("\(id).\(time).".utf8) + body, key: key.exposedBytes)))"
    }
}

/// When a webhook is tried again.
enum WebhookRetry {
    private static let longest = 60.0

    /// Twice as long each time, from a second to a minute, and a fifth more or less, so that many do not come at once.
    /// - Parameters:
    ///   - attempt: from 0.
    ///   - asked: for how many seconds the receiver wants to be left alone; counts up to an hour.
    ///   - chance: from 0 up to 1.
    static func pause(after attempt: Int, asked: Int?, chance: Double) -> Duration {
        let seconds = min(longest, Double(1 << min(attempt, 10))) * (0.8 + 0.4 * chance)
        return .seconds(max(seconds, Double(min(asked ?? 0, 3600))))
    }
}
