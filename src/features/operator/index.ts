import type { z } from 'zod'
import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { operationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import { pageOf } from '../../model/paging.ts'
import type { Plan } from '../../model/plan.ts'
import type { Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountSuspension, Accounts, AccountUsage } from '../accounts/index.ts'
import type { ContentTotals } from '../content/index.ts'
import { quoted } from '../mail/index.ts'
import type { listAllPages } from './contract.ts'
import * as contract from './contract.ts'
import { checkHealth, type HealthDeps } from './health.ts'

type Dated = Account & { created_at: string }
interface OwnedPage {
  account_id: string
  page: PageObject
}
type PagesQuery = z.output<typeof listAllPages.input>

interface OperatorDeps extends HealthDeps, Pick<Services, 'database' | 'host' | 'sendMail'> {
  defaultPlan: Plan
  accounts: Accounts
  suspension: AccountSuspension
  usageOf(account: Account): Promise<AccountUsage>
  /** The names of the providers of single sign-on, of each account that has any. */
  providersOf(accountIds: string[]): Promise<Map<string, string[]>>
  /** The parts of the pages feature that the operator's operations need. */
  pages: {
    find(id: string): Promise<Page | undefined>
    present(page: Page): Promise<PageObject>
    listAll(query: PagesQuery): Promise<{ pages: OwnedPage[]; next_offset: number | null }>
    countAll(): Promise<{ pages: number; published_pages: number; taken_down_pages: number }>
    setTakedown(tx: Tx, page: Page, reason: string | null): Promise<Page>
  }
  fileTotals(): Promise<ContentTotals>
  responseTotal(): Promise<{ count: number; bytes: number }>
}

async function getAccount({ accounts }: OperatorDeps, id: string): Promise<Account> {
  const account = await accounts.find(id)
  if (account !== null) return account
  throw refuse.notFound('account_not_found', 'There is no such account.')
}

async function presentAccounts({ usageOf, providersOf }: OperatorDeps, accounts: Dated[]) {
  const providers = await providersOf(accounts.map(({ id }) => id))
  return Promise.all(
    accounts.map(async (account) => ({
      ...account,
      ...(await usageOf(account)),
      email: displayEmail(account.email),
      sign_in_providers: providers.get(account.id) ?? [],
    })),
  )
}

/** The answer of what changed an account: the account as it is now. */
async function answerAccount(deps: OperatorDeps, id: string) {
  const account = await getAccount(deps, id)
  const [data] = await presentAccounts(deps, [{ ...account, ...(await deps.accounts.details(id)) }])
  return data!
}

async function presentPage({ accounts }: OperatorDeps, { account_id, page }: OwnedPage) {
  const owner = await accounts.find(account_id)
  return {
    ...page,
    account_id,
    owner: owner === null ? '' : displayEmail(owner.email),
    is_account_suspended: owner !== null && owner.suspended_at !== null,
  }
}

/**
 * Takes a page down for a reason, or gives it back with null, and mails its owner.
 *
 * @throws Refusal `page_not_found`
 */
async function setTakedown(deps: OperatorDeps, pageId: string, reason: string | null) {
  const { database, accounts, pages, sendMail, baseUrl, host } = deps
  const page = await pages.find(pageId)
  if (page === undefined) {
    throw refuse.notFound('page_not_found', 'There is no such page on this server.')
  }
  const owner = await accounts.find(page.account_id)
  const isChange = reason !== page.taken_down_reason
  const changed = await database.write(async (tx) => {
    const after = await pages.setTakedown(tx, page, reason)
    if (owner !== null && isChange) {
      const url = `${baseUrl}/p/${page.slug}`
      const mail = { to: owner.email, title: page.title, url, reason, host }
      await sendMail(tx, takedownMail(mail))
    }
    return after
  }, 'freeing')
  const owned = { account_id: page.account_id, page: await pages.present(changed) }
  return presentPage(deps, owned)
}

async function readStorage({ accounts, pages, checks, ...deps }: OperatorDeps) {
  const [people, counts, files, responses] = await Promise.all([
    accounts.count(),
    pages.countAll(),
    deps.fileTotals(),
    deps.responseTotal(),
  ])
  return {
    ...people,
    ...counts,
    files: files.files,
    file_bytes: files.bytes,
    file_bytes_in_database: files.bytes_in_database,
    responses: responses.count,
    response_bytes: responses.bytes,
    database_bytes: await checks.database(),
  }
}

/** Notifies a person that the operator has made an account for them. */
export function accountMail(to: string, baseUrl: string): MailContent {
  const { host } = new URL(baseUrl)
  return {
    to,
    subject: `You have an account at ${host}`,
    heading: 'You have an account',
    paragraphs: [
      `The operator of ${host} made an account for ${displayEmail(to)}: publish pages there.`,
      'To sign in, give this address. There is no password: you get a link by mail each time.',
    ],
    button: { label: 'Sign in', url: `${baseUrl}/app/sign-in` },
    reason: `The operator of ${host} entered this address. If it is a mistake, do nothing.`,
  }
}

interface TakedownMail {
  to: string
  title: string | null
  url: string
  /** Null where the page was given back. */
  reason: string | null
  host: string
}

/** Notifies the owner of a page that the operator took it down, or gave it back. */
export function takedownMail({ to, title, url, reason, host }: TakedownMail): MailContent {
  const name = quoted(title ?? 'Untitled page')
  const about = `You own ${url}.`
  if (reason === null) {
    return {
      to,
      subject: `${name} is back`,
      heading: 'Your page is back',
      paragraphs: [`The operator of ${host} gave back ${name}: it opens again as it did before.`],
      button: { label: 'Open the page', url },
      reason: about,
    }
  }
  return {
    to,
    subject: `${name} was taken down`,
    heading: 'Your page was taken down',
    paragraphs: [
      `The operator of ${host} took down ${name}: visitors meet a notice instead.`,
      `The reason: ${reason}`,
      'You can still read, change, export and delete the page. Ask the operator to give it back.',
    ],
    reason: about,
  }
}

export function operatorOperations(deps: OperatorDeps) {
  const { database, accounts, suspension, pages, sendMail, baseUrl } = deps
  return operationsOf(contract, {
    listAccounts: async (_subject, { search, ...range }) => {
      const rows = await accounts.search({ search, limit: range.limit + 1, offset: range.offset })
      const { data, next_offset } = pageOf(rows, range)
      return { data: await presentAccounts(deps, data), next_offset }
    },
    createAccount: async (_subject, { send_mail, plan = deps.defaultPlan, ...input }) => {
      const { id } = await database.write(async (tx) => {
        const account = await accounts.addWithin(tx, { ...input, plan })
        if (send_mail) await sendMail(tx, accountMail(account.email, baseUrl))
        return account
      })
      return answerAccount(deps, id)
    },
    changeAccount: async (_subject, { account_id: id, plan, is_operator }) => {
      const { email } = await getAccount(deps, id)
      // `setOperator` may refuse, so it comes first: then neither change is made.
      if (is_operator !== undefined) await accounts.setOperator(email, is_operator)
      if (plan !== undefined) await accounts.setPlan(email, plan)
      return answerAccount(deps, id)
    },
    suspendAccount: async (by, { account_id: id }) => {
      await suspension.suspend(await getAccount(deps, id), by.account)
      return answerAccount(deps, id)
    },
    endSuspension: async (by, { account_id: id }) => {
      await suspension.end(await getAccount(deps, id), by.account)
      return answerAccount(deps, id)
    },
    listAllPages: async (_subject, query) => {
      const { pages: items, next_offset } = await pages.listAll(query)
      return { data: await Promise.all(items.map((item) => presentPage(deps, item))), next_offset }
    },
    takeDownPage: (_subject, { page_id: id, reason }) => setTakedown(deps, id, reason),
    giveBackPage: (_subject, { page_id: id }) => setTakedown(deps, id, null),
    getStorage: () => readStorage(deps),
    getHealth: () => checkHealth(deps),
  })
}
