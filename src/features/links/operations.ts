import { implement, type Operation } from '../../model/operation.ts'
import * as contracts from './contract.ts'
import type { Links } from './links.ts'

export function linkOperations(links: Links): Operation[] {
  return [
    implement(contracts.createLink, async ({ page }, input) => ({
      data: (await links.create(page, [input]))[0]!,
    })),
    implement(contracts.listLinks, ({ page }, paging) => links.list(page, paging)),
    implement(contracts.updateLink, async ({ page }, { link_id: id, ...change }) => ({
      data: await links.update(page, id, change),
    })),
    implement(contracts.deleteLink, ({ page }, { link_id: id }) => links.remove(page, id)),
  ]
}
