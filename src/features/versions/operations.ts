import { implement, type Operation } from '../../model/operation.ts'
import { getVersion, listVersions, nameVersion } from './contract.ts'
import type { Versions } from './versions.ts'

export function versionOperations(versions: Versions): Operation[] {
  return [
    implement(listVersions, async ({ page }, { with_use: withUse }) => {
      if (!withUse) return { data: await versions.list(page) }
      const { id, draft_id: draftId, published_id: publishedId } = page
      const draftNo = await versions.numberOf(id, draftId)
      const liveNo = publishedId === null ? null : await versions.numberOf(id, publishedId)
      const all = await versions.list(page)
      return {
        data: all.map((version) => ({
          ...version,
          is_draft: version.version_no === draftNo,
          is_live: version.version_no === liveNo,
        })),
      }
    }),
    implement(getVersion, async ({ page }, { version_no: versionNo }) => ({
      data: await versions.get(page, versionNo),
    })),
    implement(nameVersion, async ({ page }, { version_no: versionNo, label }) => ({
      data: await versions.name(page, versionNo, label),
    })),
  ]
}
