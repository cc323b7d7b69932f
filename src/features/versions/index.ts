export { versionOperations } from './operations.ts'
export { findWithoutContent } from './store.ts'
export { createVersions, type VersionRow, type VersionSource, type Versions } from './versions.ts'
