export { versionOperations } from './operations.ts'
export { createVersions, type VersionSource, type Versions } from './versions.ts'
