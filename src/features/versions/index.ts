export { findWithoutContent } from './store.ts'
export {
  AUTOSAVE,
  createVersions,
  type VersionAuthor,
  type VersionRow,
  type VersionSource,
  type Versions,
  versionOperations,
} from './versions.ts'
