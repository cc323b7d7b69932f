import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { type Access, MAILED_LINK, purposeIn } from '../access/index.ts'
import type { Confirmations } from '../confirmations/index.ts'
import type { Links } from '../links/index.ts'
import type { Reach } from '../mail/index.ts'

export interface ReachDeps {
  access: Pick<Access, 'couldOpen' | 'personalLinks'>
  confirmations: Pick<Confirmations, 'find'>
  links: Links
  pages: { find(id: string, db: Db): Promise<Page | undefined> }
}

/** Whether a mail with a link is still for its recipient, for whom it may have waited long. */
export function createReach({ access, confirmations, links, pages }: ReachDeps) {
  const { isNamed, ownerOf } = access.personalLinks

  return async (tx: Tx, linkId: string, to: string): Promise<Reach> => {
    const link = await links.find(tx, linkId)
    const personal = await confirmations.find(tx, linkId)
    const page = await pages.find((link ?? personal)?.page_id ?? '', tx)
    if (page === undefined) return 'never'
    if (link && links.stateOf(link) !== 'active') return 'never'
    if (personal?.purpose === MAILED_LINK && !isNamed(page, to, purposeIn(personal))) return 'never'
    if (page.published_id === null || page.suspended_at !== null) return 'later'
    if (access.couldOpen(page, to)) return 'now'
    // An approver may own the page.
    return to === (await ownerOf(page.account_id, tx))?.email ? 'now' : 'never'
  }
}
