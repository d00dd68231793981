// error: value of type 'OperationQueue' has no member 'add'
import Foundation

func run(_ operations: [Operation], on queue: OperationQueue) {
    queue.add(operations, waitUntilFinished: true)
}
