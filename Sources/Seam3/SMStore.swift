import CloudKit
import CoreData
