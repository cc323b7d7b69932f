import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { ListedPage, PageObject } from '../../model/page/page-object.ts'
import * as contracts from './contract.ts'
import { createPage, duplicate } from './create.ts'
import { editHtml } from './edit-html.ts'
import { listPages } from './list.ts'
import type { Pages } from './pages.ts'
import type { PageDeps } from './parts.ts'
import { present, written } from './present.ts'
import { publish, restore, unpublish } from './publish.ts'
import { download, listFiles, readChanges, readFile, readHtml } from './read.ts'
import * as store from './store.ts'
import { takeBack, trash } from './trash.ts'
import { updatePage } from './update.ts'

/** The counts of other features for each page in a list. */
export interface PageCounts {
  responses(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  openComments(pageIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  versions(pageId: string): Promise<number>
  comments(pageId: string): Promise<number>
  decisions(pageId: string): Promise<number>
  votes(page: Page): Promise<number>
  people(page: Page): Promise<number>
}

export function pageOperations({ parts, startPreview }: Pages, counts: PageCounts): Operation[] {
  return [
    implement(contracts.createPage, (request, input) => createPage(parts, request, input)),
    implement(contracts.listPages, async ({ account, context }, input) => {
      const query = { ...input, ids: context.key?.page_ids }
      const { pages, next_offset } = await listPages(parts, account, query)
      return { data: await withCounts(pages, counts), next_offset }
    }),
    implement(contracts.listFolders, async ({ account }) => {
      const folders = await store.listFolders(parts.database.read, [account.id])
      return { data: folders.map(({ name, pages }) => ({ name, pages: Number(pages) })) }
    }),
    implement(contracts.getPage, async ({ page }) => ({ data: await present(parts, page) })),
    implement(contracts.updatePage, async (request, input) =>
      written(parts, await updatePage(parts, request, input), input),
    ),
    implement(contracts.deletePage, (request) => parts.changes.remove(request)),
    implement(contracts.duplicatePage, (subject) => duplicate(parts, subject)),
    implement(contracts.trashPage, async (request) => ({
      data: await present(parts, await trash(parts, request)),
    })),
    implement(contracts.takeBackPage, async (request) => ({
      data: await present(parts, await takeBack(parts, request)),
    })),
    implement(contracts.countPage, async ({ page }) => ({
      data: await countsOf(page, parts, counts),
    })),
    implement(contracts.publishPage, async (request, { addresses }) => {
      const answer = await written(parts, await publish(parts, request, addresses))
      return { ...answer, open_to: answer.data.open_to }
    }),
    implement(contracts.unpublishPage, async (request) => ({
      data: await present(parts, await unpublish(parts, request)),
    })),
    implement(contracts.readHtml, async ({ page }, query) => ({
      data: await readHtml(parts, page, query),
    })),
    implement(contracts.listFiles, async ({ page }, { version }) => ({
      data: await listFiles(parts, page, version),
    })),
    implement(contracts.readFile, ({ page }, file) => readFile(parts, page, file)),
    implement(contracts.downloadPage, ({ page }, { version }) => download(parts, page, version)),
    implement(contracts.previewPage, async ({ page, sessionId }, { version_no: versionNo }) => ({
      data: await startPreview(page, { sessionId, versionNo }),
    })),
    implement(contracts.readChanges, async ({ page }, input) => ({
      data: await readChanges(parts, page, input),
    })),
    implement(contracts.editHtml, async (request, input) => {
      const { edits, ...edited } = await editHtml(parts, request, input)
      return { ...(await written(parts, edited)), edits }
    }),
    implement(contracts.restoreVersion, async (request, input) =>
      written(parts, await restore(parts, request, input)),
    ),
  ]
}

async function countsOf(page: Page, { content }: PageDeps, counts: PageCounts) {
  const { id, draft_id, published_id } = page
  const release = await content.getRelease(published_id ?? draft_id)
  return {
    versions: await counts.versions(id),
    responses: (await counts.responses([id])).get(id) ?? 0,
    comments: await counts.comments(id),
    open_comments: (await counts.openComments([id])).get(id) ?? 0,
    decisions: await counts.decisions(id),
    votes: await counts.votes(page),
    people: await counts.people(page),
    collects_responses: release.collects_responses,
  }
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
