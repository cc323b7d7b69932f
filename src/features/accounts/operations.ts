import { implement, type Operation } from '../../model/operation.ts'
import { LIMITS } from '../../model/plan.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { getAccount } from './contract.ts'

export interface AccountOperationDeps {
  countPages(accountId: string): Promise<{ pages: number; published_pages: number }>
}

export function accountOperations({ countPages }: AccountOperationDeps): Operation[] {
  return [
    implement(getAccount, async ({ account }) => ({
      data: {
        ...account,
        email: displayEmail(account.email),
        limits: limitsOf(account),
        usage: await countPages(account.id),
      },
    })),
  ]
}

function limitsOf({ plan }: { plan: keyof typeof LIMITS }) {
  const { fileBytes, deckBytes, responsesPerPage, responseBytesPerPage, proSettings } = LIMITS[plan]
  return {
    file_bytes: fileBytes,
    deck_bytes: deckBytes,
    responses_per_page: responsesPerPage,
    response_bytes_per_page: responseBytesPerPage,
    link_controls: proSettings,
  }
}
