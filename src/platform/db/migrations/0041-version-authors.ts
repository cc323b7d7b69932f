import { migrations } from '../migration.ts'

/** What saved a version: the interface, and the name of the API key that was used. */
export const versionAuthors = migrations({
  '0041-version-authors': `
    ALTER TABLE versions ADD COLUMN via text;
    ALTER TABLE versions ADD COLUMN key_name text;`,
})
