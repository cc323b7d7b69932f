export { versionOperations } from './operations.ts'
export { createVersions, type VersionRow, type VersionSource, type Versions } from './versions.ts'
