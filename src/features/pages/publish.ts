import type { Page } from '../../model/page/index.ts'
import type { Content } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { ChangeRequest, PageChanges } from './changes.ts'

export interface Publishing {
  /** Shows visitors the draft. */
  publish(request: ChangeRequest): Promise<Page>
  /** Takes the page offline; the draft stays. */
  unpublish(request: ChangeRequest): Promise<Page>
  /** Makes a version the draft, and publishes it where that is asked for. */
  restore(request: ChangeRequest, restored: { version_no: number; publish: boolean }): Promise<Page>
}

export interface PublishingDeps {
  content: Content
  versions: Versions
  changes: PageChanges
}

export function createPublishing({ content, versions, changes }: PublishingDeps): Publishing {
  /** Makes content that is stored already the draft. */
  async function setStoredDraft(
    request: ChangeRequest,
    draft: { manifestId: string; publish: boolean; source: 'publish' | 'restore' },
  ): Promise<Page> {
    const { manifestId, publish } = draft
    const staged = publish ? await content.stageStored(manifestId) : null
    if (staged !== null) await content.putLarge(staged)
    const outline = (await content.outlines([manifestId])).get(manifestId)!
    return changes.change(request, {
      onDraft: true,
      async apply(tx, current) {
        if (staged !== null) await content.save(tx, staged)
        const { next } = await changes.setDraft(tx, current, {
          ...draft,
          sizeBytes: outline.size_bytes,
        })
        return next
      },
    })
  }

  return {
    publish: (request) =>
      setStoredDraft(request, {
        manifestId: request.page.draft_id,
        publish: true,
        source: 'publish',
      }),
    unpublish: (request) =>
      changes.change(request, {
        onDraft: false,
        async apply(tx, { published_id: publishedId, ...current }) {
          if (publishedId !== null) await content.markUnreferenced(tx, [publishedId])
          return { ...current, published_id: null }
        },
      }),
    async restore(request, { version_no: versionNo, publish }) {
      const manifestId = await versions.manifestOf(request.page, versionNo)
      return setStoredDraft(request, { manifestId, publish, source: 'restore' })
    },
  }
}
