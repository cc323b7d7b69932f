import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'
import { signedText } from '../../platform/signed-token.ts'
import { fromOwner, ownerWords, type PageMail, pageName, theyWrite } from '../mail/index.ts'
import * as store from './store.ts'

interface LinkMailerDeps extends Pick<Services, 'clock' | 'sendMail' | 'host'> {
  mailStops: MailStops
}

/** Mails a link to its address, in the transaction that notes when. */
export function createLinkMailer({ clock, sendMail, host, mailStops }: LinkMailerDeps) {
  return async (
    tx: Tx,
    page: Page,
    { id, ...mail }: { id: string } & Pick<LinkMail, 'to' | 'url' | 'message' | 'owner'>,
    isReminder = false,
  ): Promise<void> => {
    await store.update(tx, { id, page_id: page.id }, { sent_at: clock.now(), bounced_at: null })
    const unsubscribeUrl = mailStops.urlFor(page, mail.to)
    const content = linkMail(page, { ...mail, host, unsubscribeUrl }, isReminder)
    await sendMail(tx, content, { link_id: id })
  }
}

interface LinkMail extends PageMail {
  message: string | null
  /** Where the recipient stops such mails of the owner. */
  unsubscribeUrl: string
}

/** @param isReminder it was sent before */
export function linkMail(page: Page, mail: LinkMail, isReminder = false): MailContent {
  const { to, url, host, message, owner, unsubscribeUrl } = mail
  const verb = isReminder ? 'reminds you of' : 'sends you'
  const sends = `${ownerWords(owner)} ${verb} ${pageName(page)}`
  return {
    to,
    subject: sends,
    ...fromOwner(page, owner),
    heading: isReminder ? 'A page waits for you' : 'A page for you',
    paragraphs: [
      `${sends}.`,
      ...theyWrite(message),
      'The link is yours: whoever made the page sees when it was opened by it.',
    ],
    button: { label: 'Open the page', url },
    reason: `The owner of this page on ${host} entered this address to send it to you.`,
    unsubscribeUrl,
  }
}

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
      await database.write((tx) => store.insertStop(tx, { account_id, recipient }))
    },
  }
}
export type MailStops = ReturnType<typeof createMailStops>
