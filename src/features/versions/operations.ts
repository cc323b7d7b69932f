import { implement, type Operation } from '../../model/operation.ts'
import { getVersion, listVersions, nameVersion } from './contract.ts'
import type { Versions } from './versions.ts'

export function versionOperations(versions: Versions): Operation[] {
  return [
    implement(listVersions, async ({ page }, { with_use }) => {
      const all = await versions.list(page)
      if (!with_use) return { data: all.map(({ via, key_name, ...record }) => record) }
      const { id, draft_id, published_id } = page
      const draftNo = await versions.numberOf(id, draft_id)
      const liveNo = published_id === null ? null : await versions.numberOf(id, published_id)
      return {
        data: all.map((version) => ({
          ...version,
          is_draft: version.version_no === draftNo,
          is_live: version.version_no === liveNo,
        })),
      }
    }),
    implement(getVersion, async ({ page }, { version_no, file }) => ({
      data: await versions.get(page, version_no, file),
    })),
    implement(nameVersion, async ({ page }, { version_no, label }) => ({
      data: await versions.name(page, version_no, label),
    })),
  ]
}
