export { findWithoutContent } from './store.ts'
export { createVersions, type VersionRow, type VersionSource, type Versions } from './versions.ts'
