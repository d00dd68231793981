// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC
