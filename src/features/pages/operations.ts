import { implement, type Operation } from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Pages } from './pages.ts'

export function pageOperations(pages: Pages): Operation[] {
  return [
    implement(contracts.createPage, (request, input) => pages.create(request, input)),
    implement(contracts.listPages, async ({ account }, range) => {
      const { pages: data, next_offset: nextOffset } = await pages.list(account, range)
      return { data, next_offset: nextOffset }
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
    implement(contracts.readFile, ({ page }, file) => pages.readFile(page, file)),
    implement(contracts.editHtml, (request, input) => pages.editHtml(request, input)),
    implement(contracts.restoreVersion, (request, restored) => pages.restore(request, restored)),
  ]
}
