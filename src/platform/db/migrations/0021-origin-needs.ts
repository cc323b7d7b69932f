import type { Migration } from '../migration.ts'

/** What content needs an origin of its own for. It is found when the release is made again. */
export const originNeeds: Migration = {
  name: '0021-origin-needs',
  up: () => ['ALTER TABLE manifests ADD COLUMN needs_origin text'],
}
