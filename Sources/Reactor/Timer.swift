/// A call at a point in time; ``cancel()`` takes it back. Belongs to the thread of its loop.
public final class Timer {
    let instant: Instant
    private var action: (() -> Void)?

    init(instant: Instant, action: @escaping () -> Void) {
        self.instant = instant
        self.action = action
    }

    /// Cancels the timer. A timer that has fired stays as it is.
    public func cancel() {
        action = nil
    }

    var isCanceled: Bool { action == nil }

    func fire() {
        let action = self.action
        self.action = nil
        action?()
    }
}

/// Timers as a binary heap. A canceled one stays until it comes up, or until half of the heap is canceled ones.
struct TimerQueue {
    private var heap: [Timer] = []
    private var lastCount = 64

    var next: Instant { heap.first?.instant ?? .never }

    mutating func add(at instant: Instant, _ action: @escaping () -> Void) -> Timer {
        if heap.count >= lastCount * 2 { compact() }
        let timer = Timer(instant: instant, action: action)
        heap.append(timer)
        siftUp(heap.count - 1)
        return timer
    }

    /// Takes out the next timer that is due. The caller fires it, because its closure may add timers.
    mutating func popDue(_ now: Instant) -> Timer? {
        guard let first = heap.first, first.instant <= now else { return nil }
        removeFirst()
        return first
    }

    /// Throws out the canceled ones, so that waits that ended early do not pile up until their time.
    private mutating func compact() {
        heap.removeAll { $0.isCanceled }
        heap.sort { $0.instant < $1.instant }
        lastCount = max(64, heap.count)
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].instant < heap[parent].instant else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].instant < heap[least].instant { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
