import type { Page } from '../../model/page/index.ts'
import { type Content, type Release, sizeOf } from '../content/index.ts'
import type { Versions } from '../versions/index.ts'
import type { ChangeRequest, NewDraft, PageChanges } from './changes.ts'

/** A page whose content was set, and that content as visitors are sent it. */
interface Released {
  page: Page
  release: Release
}

export interface Publishing {
  /** Shows visitors the draft. */
  publish(request: ChangeRequest, addresses?: readonly string[]): Promise<Released>
  /** Takes the page offline; the draft stays. */
  unpublish(request: ChangeRequest): Promise<Page>
  /** Makes a version the draft, and publishes it where that is asked for. */
  restore(
    request: ChangeRequest,
    restored: { version_no: number; publish: boolean },
  ): Promise<Released>
}

interface PublishingDeps {
  content: Content
  versions: Versions
  changes: PageChanges
}

export function createPublishing({ content, versions, changes }: PublishingDeps): Publishing {
  /** Makes content that is stored already the draft. */
  async function setStoredDraft(
    request: ChangeRequest,
    draft: Omit<NewDraft, 'sizeBytes'>,
  ): Promise<Released> {
    const staged = await content.stageStored(draft.manifestId)
    await content.putLarge(staged)
    const page = await changes.change(request, {
      onDraft: true,
      async apply(tx, current) {
        await content.save(tx, staged)
        const sizeBytes = sizeOf(staged.manifest)
        const { next } = await changes.setDraft(tx, current, { ...draft, sizeBytes })
        return next
      },
    })
    return { page, release: staged.release }
  }

  return {
    publish: (request, addresses) =>
      setStoredDraft(request, {
        manifestId: request.page.draft_id,
        publish: true,
        source: 'publish',
        addresses,
      }),
    unpublish: (request) =>
      changes.change(request, {
        onDraft: false,
        durability: 'freeing',
        async apply(tx, { published_id, ...current }) {
          if (published_id !== null) await content.markUnreferenced(tx, [published_id])
          return { ...current, published_id: null }
        },
      }),
    async restore(request, { version_no, publish }) {
      const manifestId = await versions.manifestOf(request.page, version_no)
      return setStoredDraft(request, {
        manifestId,
        publish,
        source: 'restore',
        restoredNo: version_no,
      })
    },
  }
}
