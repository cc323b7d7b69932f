import { implement, type Operation } from '../../model/operation.ts'
import { getVersion, listVersions, nameVersion } from './contract.ts'
import type { Versions } from './versions.ts'

export function versionOperations(versions: Versions): Operation[] {
  return [
    implement(listVersions, async ({ page }) => {
      const { id, draft_id: draftId, published_id: publishedId } = page
      return {
        data: await versions.list(page),
        draft_version_no: await versions.numberOf(id, draftId),
        live_version_no: publishedId === null ? null : await versions.numberOf(id, publishedId),
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
