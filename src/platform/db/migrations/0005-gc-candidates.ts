import type { Migration } from '../migration.ts'

/** Names the tables of what may have lost its last reference by what they are for. */
export const gcCandidates: Migration = {
  name: '0005-gc-candidates',
  up: () => [
    'ALTER TABLE loose_blobs RENAME TO gc_candidate_blobs',
    'ALTER TABLE loose_manifests RENAME TO gc_candidate_manifests',
  ],
}
