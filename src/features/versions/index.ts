export { findWithoutContent } from './store.ts'
export {
  AUTOSAVE,
  createVersions,
  type VersionAuthor,
  type VersionRow,
  type VersionSource,
  type Versions,
} from './versions.ts'
