import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { implement, type Operation } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { PageObject } from '../../model/page/page-object.ts'
import type { Plan } from '../../model/plan.ts'
import type { Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountSuspension, Accounts, AccountUsage } from '../accounts/index.ts'
import type { ContentTotals } from '../content/index.ts'
import { quoted } from '../mail/index.ts'
import {
  changeAccount,
  createAccount,
  endSuspension,
  getHealth,
  getStorage,
  giveBackPage,
  listAccounts,
  listAllPages,
  suspendAccount,
  takeDownPage,
} from './contract.ts'
import { checkHealth } from './health.ts'

type Dated = Account & { created_at: string }
type OperatorAccount = Dated & AccountUsage & { sign_in_providers: string[] }
interface OwnedPage {
  account_id: string
  page: PageObject
}
type OperatorPage = PageObject & {
  account_id: string
  owner: string
  is_account_suspended: boolean
}

interface Range {
  search: string
  limit: number
  offset: number
}

interface GivenAccount {
  email: string
  name: string | null
  plan?: Plan | undefined
  send_mail: boolean
}

interface OperatorDeps extends Pick<Services, 'database' | 'checks' | 'baseUrl' | 'sendMail'> {
  defaultPlan: Plan
  accounts: Accounts
  suspension: AccountSuspension
  usageOf(account: Account): Promise<AccountUsage>
  /** The names of the providers of single sign-on, of each account that has any. */
  providersOf(accountIds: string[]): Promise<Map<string, string[]>>
  pages: OperatorPages
  fileTotals(): Promise<ContentTotals>
  responseTotal(): Promise<{ count: number; bytes: number }>
  countUnsentMails(): Promise<{ waiting: number; failed: number }>
}

/** The parts of the pages feature that the operator's operations need. */
interface OperatorPages {
  find(id: string): Promise<Page | undefined>
  present(page: Page): Promise<PageObject>
  listAll(
    query: Range & { taken_down?: boolean | undefined },
  ): Promise<{ pages: OwnedPage[]; next_offset: number | null }>
  countAll(): Promise<{ pages: number; published_pages: number; taken_down_pages: number }>
  setTakedown(tx: Tx, page: Page, reason: string | null): Promise<Page>
}

export type Operator = ReturnType<typeof createOperator>

export function createOperator(deps: OperatorDeps) {
  const { database, accounts, suspension, pages, usageOf, sendMail, baseUrl } = deps

  async function presentAccounts(found: Dated[]): Promise<OperatorAccount[]> {
    const providers = await deps.providersOf(found.map(({ id }) => id))
    const present = async (account: Dated) => ({
      ...account,
      ...(await usageOf(account)),
      email: displayEmail(account.email),
      sign_in_providers: providers.get(account.id) ?? [],
    })
    return Promise.all(found.map(present))
  }

  async function getAccount(id: string): Promise<Account> {
    const account = await accounts.find(id)
    if (account !== null) return account
    throw refuse.notFound('account_not_found', 'There is no such account.')
  }

  async function presentPage({ account_id, page }: OwnedPage): Promise<OperatorPage> {
    const owner = await accounts.find(account_id)
    return {
      ...page,
      account_id,
      owner: owner === null ? '' : displayEmail(owner.email),
      is_account_suspended: owner !== null && owner.suspended_at !== null,
    }
  }

  async function presentAgain(id: string): Promise<OperatorAccount> {
    const account = await getAccount(id)
    const [presented] = await presentAccounts([{ ...account, ...(await accounts.details(id)) }])
    return presented!
  }

  return {
    async listAccounts({ search, limit, offset }: Range) {
      const matches = await accounts.search({ search, limit: limit + 1, offset })
      return {
        data: await presentAccounts(matches.slice(0, limit)),
        next_offset: matches.length > limit ? offset + limit : null,
      }
    },
    /** @throws Refusal `account_exists` */
    async createAccount({ email, name, plan = deps.defaultPlan, send_mail }: GivenAccount) {
      const { id } = await database.write(async (tx) => {
        const account = await accounts.addWithin(tx, { email, name, plan })
        if (send_mail) await sendMail(tx, accountMail(account.email, baseUrl))
        return account
      })
      return presentAgain(id)
    },
    /** @throws Refusal `account_not_found`, `guest_account`, `last_operator` */
    async changeAccount(
      id: string,
      { plan, is_operator }: { plan?: Plan | undefined; is_operator?: boolean | undefined },
    ) {
      const { email } = await getAccount(id)
      // `setOperator` may refuse, so it comes first: then neither change is made.
      if (is_operator !== undefined) await accounts.setOperator(email, is_operator)
      if (plan !== undefined) await accounts.setPlan(email, plan)
      return presentAgain(id)
    },
    /** @throws Refusal `account_not_found`, `own_account`, `last_operator` */
    async suspend(id: string, by: Account) {
      await suspension.suspend(await getAccount(id), by)
      return presentAgain(id)
    },
    /** @throws Refusal `account_not_found` */
    async endSuspension(id: string, by: Account) {
      await suspension.end(await getAccount(id), by)
      return presentAgain(id)
    },
    async listPages(query: Range & { taken_down?: boolean | undefined }) {
      const { pages: found, next_offset } = await pages.listAll(query)
      return { data: await Promise.all(found.map(presentPage)), next_offset }
    },
    /**
     * Takes a page down for a reason, or gives it back with null, and mails its owner.
     *
     * @throws Refusal `page_not_found`
     */
    async setTakedown(pageId: string, reason: string | null) {
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
          const { host } = new URL(baseUrl)
          const mail = { to: owner.email, title: page.title, url, reason, host }
          await sendMail(tx, takedownMail(mail))
        }
        return after
      }, 'freeing')
      return presentPage({ account_id: page.account_id, page: await pages.present(changed) })
    },
    async storage() {
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
        database_bytes: await deps.checks.database(),
      }
    },
    health: () => checkHealth(deps),
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

export function operatorOperations(operator: Operator): Operation[] {
  return [
    implement(listAccounts, (_subject, query) => operator.listAccounts(query)),
    implement(createAccount, async (_subject, given) => ({
      data: await operator.createAccount(given),
    })),
    implement(changeAccount, async (_subject, { account_id: id, ...changes }) => ({
      data: await operator.changeAccount(id, changes),
    })),
    implement(suspendAccount, async (by, { account_id: id }) => ({
      data: await operator.suspend(id, by.account),
    })),
    implement(endSuspension, async (by, { account_id: id }) => ({
      data: await operator.endSuspension(id, by.account),
    })),
    implement(listAllPages, (_subject, query) => operator.listPages(query)),
    implement(takeDownPage, async (_subject, { page_id: id, reason }) => ({
      data: await operator.setTakedown(id, reason),
    })),
    implement(giveBackPage, async (_subject, { page_id: id }) => ({
      data: await operator.setTakedown(id, null),
    })),
    implement(getStorage, async () => ({ data: await operator.storage() })),
    implement(getHealth, async () => ({ data: await operator.health() })),
  ]
}
