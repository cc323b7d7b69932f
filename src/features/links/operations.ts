import { implement, type Operation } from '../../model/operation.ts'
import type { LinkBatch } from './batch.ts'
import * as contracts from './contract.ts'
import type { Links } from './links.ts'

export function linkOperations(links: Links, batch: LinkBatch): Operation[] {
  return [
    implement(contracts.createLink, async ({ page }, input) => ({
      data: (await links.create(page, [input]))[0]!,
    })),
    implement(contracts.createLinks, async ({ page }, input) => ({
      data: await batch(page, input),
    })),
    implement(contracts.listLinks, ({ page }, paging) => links.list(page, paging)),
    implement(contracts.updateLink, async ({ page }, { link_id: id, ...change }) => ({
      data: await links.update(page, id, change),
    })),
    implement(contracts.deleteLink, ({ page }, { link_id: id }) => links.remove(page, id)),
  ]
}
