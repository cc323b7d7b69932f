import type { Migration } from '../migration.ts'

/** Work that one node at a time does: who does it now, and until when without another word. */
export const leases: Migration = {
  name: '0026-leases',
  up: () => [
    'CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, ends_ms bigint NOT NULL)',
  ],
}
