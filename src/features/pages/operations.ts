import { implement, type Operation } from '../../model/operation.ts'
import type { ListedPage, PageObject } from '../../model/page/page-object.ts'
import * as contracts from './contract.ts'
import type { Pages } from './pages.ts'

/** The counts of other features for each page in a list. */
export interface PageCounts {
  responses(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  openComments(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export function pageOperations(pages: Pages, counts: PageCounts): Operation[] {
  return [
    implement(contracts.createPage, (request, input) => pages.create(request, input)),
    implement(contracts.listPages, async ({ account }, input) => {
      const { pages: listed, next_offset } = await pages.list(account, input)
      return { data: await withCounts(listed, counts), next_offset }
    }),
    implement(contracts.getPage, async ({ page }) => ({ data: await pages.present(page) })),
    implement(contracts.updatePage, (request, input) => pages.update(request, input)),
    implement(contracts.deletePage, (request) => pages.delete(request)),
    implement(contracts.publishPage, (request, { addresses }) => pages.publish(request, addresses)),
    implement(contracts.unpublishPage, async (request) => ({
      data: await pages.unpublish(request),
    })),
    implement(contracts.readHtml, async ({ page }, { full }) => ({
      data: await pages.readHtml(page, full),
    })),
    implement(contracts.listFiles, async ({ page }, { version }) => ({
      data: await pages.listFiles(page, version),
    })),
    implement(contracts.readFile, ({ page }, file) => pages.readFile(page, file)),
    implement(contracts.downloadPage, ({ page }, { version }) => pages.download(page, version)),
    implement(contracts.previewPage, async ({ page, sessionId }, { version_no: versionNo }) => ({
      data: await pages.startPreview(page, { sessionId, versionNo }),
    })),
    implement(contracts.readChanges, async ({ page }, input) => ({
      data: await pages.readChanges(page, input),
    })),
    implement(contracts.editHtml, (request, input) => pages.editHtml(request, input)),
    implement(contracts.restoreVersion, (request, restored) => pages.restore(request, restored)),
  ]
}

/** One query for each count, however many pages the list has. */
async function withCounts(pages: PageObject[], counts: PageCounts): Promise<ListedPage[]> {
  const ids = pages.map(({ id }) => id)
  const [responses, openComments] = await Promise.all([
    counts.responses(ids),
    counts.openComments(ids),
  ])
  // Changes the pages in place: copying them would take as long as all the queries.
  return pages.map((page) =>
    Object.assign(page, {
      responses: responses.get(page.id) ?? 0,
      open_comments: openComments.get(page.id) ?? 0,
    }),
  )
}
