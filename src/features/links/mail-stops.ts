import type { Page } from '../../model/page/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import { signedText } from '../../platform/signed-token.ts'
import * as store from './store.ts'

/** Who wants no more pages of an account by mail. Addresses are stored as keyed hashes. */
export function createMailStops({
  database,
  secrets,
  baseUrl,
}: Pick<Services, 'database' | 'baseUrl'> & { secrets: Secrets }) {
  const recipientOf = ({ account_id }: Page, email: string) =>
    secrets.sign('link-recipient', account_id, email)
  const tokens = signedText(secrets, 'unsubscribe')
  const subjectOf = (pageId: string) => [pageId, 'links']

  return {
    recipientOf,
    /** The recipients that have stopped mails of the page's owner. */
    async of({ account_id }: Page, db: Db = database.read): Promise<ReadonlySet<string>> {
      const rows = await store.listStops(db, [account_id])
      return new Set(rows.map(({ recipient }) => recipient))
    },
    urlFor(page: Page, email: string): string {
      const token = tokens.make(subjectOf(page.id), recipientOf(page, email))
      return `${baseUrl}/unsubscribe/${page.id}/${token}`
    },
    /** The recipient of an unsubscribe link; null if its signature is not ours. */
    findRecipient: (pageId: string, text: string) => tokens.read(subjectOf(pageId), text),
    async stop({ account_id }: Page, recipient: string): Promise<void> {
      await database.write((tx) => store.insertStop(tx, [account_id, recipient]))
    },
  }
}
export type MailStops = ReturnType<typeof createMailStops>
