import type { Db } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Content } from './content.ts'
import { RELEASE_FORMAT } from './release.ts'
import * as store from './store.ts'

/** How many releases one call looks at. */
const BATCH = 20
/** A release is stored as JSON, whose first member is its format. */
const CURRENT = `{"format":${RELEASE_FORMAT},`

interface ReleaseRenewalDeps extends Pick<Services, 'database' | 'log'> {
  content: Pick<Content, 'getRelease'>
  /** Those of the manifests that are some page's draft or published content. */
  inUse(db: Db, manifestIds: string[]): Promise<string[]>
}

/**
 * Updates stored facts of pages after an upgrade, such as `needs_origin`. Until then a page has
 * those of an earlier version, or none, unless it is opened or published. Versions that no page
 * shows are left out: their releases are rebuilt when they are read.
 */
export function createReleaseRenewal(deps: ReleaseRenewalDeps) {
  const { database, log, content, inUse } = deps
  let after = ''

  async function renew(id: string): Promise<void> {
    try {
      await content.getRelease(id)
    } catch (err) {
      log.error('content could not be released again', { manifest: id, err })
    }
  }

  return {
    /**
     * Checks a few releases, and rebuilds those of an earlier format.
     *
     * @returns false once it has come to the last
     */
    async renewSome(): Promise<boolean> {
      const rows = await store.listReleases(database.read, [after, BATCH])
      const outdated = rows.filter(({ start }) => !start?.startsWith(CURRENT)).map(({ id }) => id)
      if (outdated.length > 0) {
        const used = new Set(await inUse(database.read, outdated))
        for (const id of outdated) if (used.has(id)) await renew(id)
      }
      after = rows.at(-1)?.id ?? after
      return rows.length === BATCH
    },
  }
}
