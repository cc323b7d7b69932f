export { versionOperations } from './operations.ts'
export { createVersions, type Versions } from './versions.ts'
