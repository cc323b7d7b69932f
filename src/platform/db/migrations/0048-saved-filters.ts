import { migrations } from '../migration.ts'

/** The filters of its list of pages to which an account has given names. */
export const savedFilters = migrations({
  '0048-saved-filters': `
    ALTER TABLE accounts ADD COLUMN saved_filters text;`,
})
