import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { ChangesInput, PageDifferences } from './contract.ts'

export interface ReadChangesDeps {
  content: Pick<Content, 'changesBetween'>
  versions: Pick<Versions, 'manifestOf' | 'numberOf'>
}

/**
 * Compares two versions of a page, the published one with the draft unless others are named.
 * @throws Refusal `version_not_found`, `nothing_published`
 */
export function createReadChanges({ content, versions }: ReadChangesDeps) {
  async function resolve(page: Page, versionNo: number | undefined, manifestId: string | null) {
    if (versionNo !== undefined) {
      return { id: await versions.manifestOf(page, versionNo), versionNo }
    }
    if (manifestId === null) throw nothingPublished()
    const current = await versions.numberOf(page.id, manifestId)
    if (current === null) throw new Error(`The content of ${page.id} is no version`)
    return { id: manifestId, versionNo: current }
  }

  return async (page: Page, { from, to, lines }: ChangesInput): Promise<PageDifferences> => {
    const before = await resolve(page, from, page.published_id)
    const after = await resolve(page, to, page.draft_id)
    const { files, ...counts } = await content.changesBetween(before.id, after.id)
    return {
      from_version_no: before.versionNo,
      to_version_no: after.versionNo,
      ...counts,
      files: lines ? files : files.map((file) => ({ ...file, lines: null })),
    }
  }
}

function nothingPublished() {
  return refuse.conflict(
    'nothing_published',
    'Nothing is published to compare the draft with: name a version in `from`, or publish first.',
  )
}
