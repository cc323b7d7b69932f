import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import { peopleIn } from '../../model/people-text.ts'
import { parseEmail } from '../../model/text.ts'
import type { Db } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import { type PageOwner, sendMany } from '../mail/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import * as contract from './contract.ts'
import { type Batch, type Link, MAX_LABEL, MAX_PEOPLE, type NewLinks } from './contract.ts'
import type { Links } from './links.ts'
import { createLinkMailer, type MailStops } from './mail.ts'

export interface BatchDeps
  extends Pick<Services, 'database' | 'clock' | 'sendMail' | 'host' | 'checks'> {
  links: Links
  throttles: Throttles
  mailStops: MailStops
  ownerOf(accountId: string, db?: Db): Promise<PageOwner | null>
  /** Whether somebody who proves this address, and gives the password, could open the page now. */
  couldOpen(page: Page, email: string): boolean
}

interface Person {
  label: string
  email: string | null
}
type Mailed = Link & { address: string }
type Reason = NewLinks['not_mailed'][number]['reason']

/** Makes links for several people, and mails them: to bounded numbers, by account and address. */
export function createLinkBatch(deps: BatchDeps) {
  const { database, clock, checks, links, throttles, ownerOf, mailStops } = deps
  const mailLink = createLinkMailer(deps)

  async function reasonAgainst(
    page: Page,
    email: string,
    stopped: ReadonlySet<string>,
  ): Promise<Reason | null> {
    if (page.published_id === null) return 'not_published'
    if (!deps.couldOpen(page, email)) return 'not_admitted'
    // The link opens for whoever it is handed to then.
    if (!checks.sendsMails) return 'no_mail_server'
    if (stopped.has(mailStops.recipientOf(page, email))) return 'unsubscribed'
    const { isAllowed } = await throttles.consume(LIMITS.invitation_to_email, `${page.id} ${email}`)
    return isAllowed ? null : 'mailed_before'
  }

  async function send(page: Page, mailed: readonly Mailed[], message: string | null) {
    const owner = await ownerOf(page.account_id)
    await sendMany(database, mailed, (tx, { id, url, address: to }) =>
      mailLink(tx, page, { id, to, url, message, owner }),
    )
  }

  return async (page: Page, input: Batch): Promise<NewLinks> => {
    const people = peopleOf(input)
    const isMailed = input.mail && people.some(({ email }) => email !== null)
    if (isMailed) await throttles.assert(LIMITS.invitations, page.account_id)
    const newLinks = await links.create(page, people)
    const mailed: Mailed[] = []
    const notMailed: NewLinks['not_mailed'] = []
    const stopped = await mailStops.of(page)
    for (const [at, { email }] of people.entries()) {
      if (email === null || !input.mail) continue
      const reason = await reasonAgainst(page, email, stopped)
      if (reason === null) mailed.push({ ...newLinks[at]!, address: email })
      else notMailed.push({ email: displayEmail(email), reason })
    }
    await send(page, mailed, input.message ?? null)
    const sentAt = clock.now()
    const mailedIds = new Set(mailed.map(({ id }) => id))
    return {
      links: newLinks.map((link) => (mailedIds.has(link.id) ? { ...link, sent_at: sentAt } : link)),
      mailed: mailed.map(({ address }) => displayEmail(address)),
      not_mailed: notMailed,
    }
  }
}

/** Each address once. @throws Refusal `invalid_parameter` */
function peopleOf({ people, csv }: Batch): Person[] {
  if ((people === undefined) === (csv === undefined)) throw wrong('people', 'Give people or csv.')
  const persons = people?.map(({ label, email = null }, at): Person => {
    const name = label ?? (email === null ? undefined : displayEmail(email))
    if (name === undefined) throw wrong(`people[${at}]`, 'Each needs a label or an email.')
    return { label: name, email }
  })
  const all = persons ?? peopleIn(csv!).map(parsePerson)
  if (all.length === 0) throw wrong(people ? 'people' : 'csv', 'It names nobody.')
  if (all.length > MAX_PEOPLE) throw wrong('csv', `It names more than ${MAX_PEOPLE} people.`)
  const emails = new Set<string>()
  return all.filter(({ email }) => email === null || (!emails.has(email) && emails.add(email)))
}

function parsePerson({ label, email }: { label: string; email: string | null }): Person {
  const address = email === null ? null : parseEmail(email)
  if (email !== null && address === null) throw wrong('csv', `${email} is not an email address.`)
  return { label: label.slice(0, MAX_LABEL), email: address }
}

const wrong = refuse.invalidParameter

export function linkOperations(links: Links, batch: ReturnType<typeof createLinkBatch>) {
  return operationsOf(contract, {
    createLink: async ({ page }, input) => (await links.create(page, [input]))[0]!,
    createLinks: ({ page }, input) => batch(page, input),
    listLinks: ({ page }, range) => links.list(page, range),
    updateLink: ({ page }, { link_id: id, ...change }) => links.update(page, id, change),
    deleteLink: ({ page }, { link_id: id }) => links.remove(page, id),
  })
}
