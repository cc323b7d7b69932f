import { implement, type Operation } from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Pages } from './pages.ts'

export function pageOperations(pages: Pages): Operation[] {
  return [
    implement(contracts.createPage, async ({ account, caller }, input) => ({
      data: await pages.create(account, input, caller),
    })),
    implement(contracts.listPages, async ({ account }, range) => {
      const { pages: data, next_offset: nextOffset } = await pages.list(account, range)
      return { data, next_offset: nextOffset }
    }),
    implement(contracts.getPage, async ({ page }) => ({ data: await pages.present(page) })),
    implement(contracts.updatePage, async ({ account, page, caller }, input) => ({
      data: await pages.update(account, page, input, caller),
    })),
    implement(contracts.deletePage, ({ page, caller }) => pages.delete(page, caller)),
    implement(contracts.publishPage, async ({ page, caller }) => ({
      data: await pages.publish(page, caller),
    })),
    implement(contracts.unpublishPage, async ({ page, caller }) => ({
      data: await pages.unpublish(page, caller),
    })),
    implement(contracts.readHtml, async ({ page }, { full }) => ({
      data: await pages.readHtml(page, full),
    })),
    implement(contracts.editHtml, async ({ account, page, caller }, input) => {
      const { page: data, edits } = await pages.editHtml(account, page, input, caller)
      return { data, edits }
    }),
    implement(contracts.restoreVersion, async ({ page, caller }, restored) => ({
      data: await pages.restore(page, restored, caller),
    })),
  ]
}
