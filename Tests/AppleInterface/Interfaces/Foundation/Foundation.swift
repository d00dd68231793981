@_exported import Foundation
@_exported import ObjectiveC
@_exported import Dispatch
@_exported import Darwin
