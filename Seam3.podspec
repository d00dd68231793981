# CocoaPods builds all sources as the one module Seam3. The subspec NestedCloudKitCodable is not part
# of the default.
Pod::Spec.new do |s|
  s.name = 'Seam3'
  s.version = '2.0.0'
  s.summary = 'A Core Data store that syncs with CloudKit.'
  s.description = <<~TEXT
    SMStore is an NSIncrementalStore that keeps an app's objects in a local SQLite file and
    syncs them with the user's private CloudKit database.
  TEXT
  s.homepage = 'https://github.com/OWNER/Seam3'
  s.license = { type: 'MIT', file: 'LICENSE' }
  s.author = 'The Seam3 authors'
  s.source = { git: 'https://github.com/OWNER/Seam3.git', tag: s.version.to_s }

  s.ios.deployment_target = '15.0'
  s.osx.deployment_target = '12.0'
  s.tvos.deployment_target = '15.0'
  s.watchos.deployment_target = '8.0'
  s.visionos.deployment_target = '1.0'

  s.swift_version = '5.0'
  s.module_name = 'Seam3'
  s.default_subspec = 'Store'

  s.subspec 'Store' do |store|
    store.source_files = 'Sources/Seam3/**/*.swift', 'Sources/SeamSQLite/**/*.swift', 'Sources/ModelMatching/**/*.swift', 'Sources/NumberTables/**/*.swift', 'Sources/PrivateFiles/**/*.swift'
    store.resource_bundles = { 'Seam3' => ['Sources/Seam3/PrivacyInfo.xcprivacy'] }
    store.frameworks = 'CoreData', 'CloudKit'
    store.library = 'sqlite3'
  end

  s.subspec 'NestedCloudKitCodable' do |nested|
    nested.source_files = 'Sources/NestedCloudKitCodable/**/*.swift', 'Sources/PrivateFiles/**/*.swift'
    nested.frameworks = 'CloudKit', 'CoreLocation'
  end
end
