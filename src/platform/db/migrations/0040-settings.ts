import { migrations } from '../migration.ts'

/** What operators set in the app. */
export const SETTINGS = migrations({
  '0040-settings': `
    CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL, updated_at text NOT NULL);`,
})
