import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { operationsOf } from '../../model/operation.ts'
import type { SingleSignOnSettings } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import * as contract from './contract.ts'
import * as store from './store.ts'

/** The claims about a person that a provider has proved. */
export interface Proof {
  issuer: string
  subject: string
  /** null: the provider sends no address, or has not verified it. */
  verifiedEmail: string | null
}

/** `expired`: the code was used or is too old. `invalid`: the answer failed verification. */
export type FailureReason = 'unavailable' | 'cancelled' | 'refused' | 'expired' | 'invalid'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  constructor(
    readonly reason: FailureReason,
    cause: unknown,
  ) {
    super(`The provider did not sign in: ${reason}.`, { cause })
  }
}

/** Why a person is not signed in although the provider identified them. */
export type NotAdmitted =
  /** The server has no account, so nobody operates it yet. */
  | 'not_set_up'
  | 'unverified_email'
  | 'other_domain'
  | 'no_account'
  /** The account of the address belongs to somebody else at the provider. */
  | 'linked_to_another'

type Admission =
  | { account: Account; refused?: never }
  | { refused: NotAdmitted; email: string | null; account?: never }

type Admit = (tx: Tx, email: string) => Promise<Account | null>

export type Identities = ReturnType<typeof createIdentities>

interface IdentityDeps extends Pick<Services, 'database' | 'clock' | 'baseUrl' | 'sendMail'> {
  /** null: no provider is configured, but accounts may still be linked to an earlier one. */
  settings: SingleSignOnSettings | null
  accounts: {
    hasAny(db?: Db): Promise<boolean>
    find(id: string, db?: Db): Promise<Account | null>
    findByEmail(email: string, db?: Db): Promise<Account | null>
  }
}

/** The links between accounts and identities at a provider of single sign-on. */
export function createIdentities(deps: IdentityDeps) {
  const { database, clock, baseUrl, settings, accounts, sendMail } = deps

  function isOfDomain(email: string | null): boolean {
    const domains = settings?.domains ?? []
    return domains.length === 0 || (email !== null && domains.includes(email.split('@').at(-1)!))
  }

  /** Links the account of the address. @returns false where it is linked to another person */
  async function link(tx: Tx, account: Account, proof: Proof): Promise<boolean> {
    const { issuer, subject, verifiedEmail: email } = proof
    const now = clock.now()
    const ids = { id: newId('idn'), account_id: account.id, issuer, subject }
    await store.insertOnce(tx, { ...ids, email, created_at: now, last_used_at: now })
    return (await store.find(tx, [issuer, subject]))?.account_id === account.id
  }

  return {
    /**
     * Finds the account of a person: by the identity, and the first time by the verified address,
     * which links the two.
     *
     * @param admit finds or creates the account of an address; null: it may not sign in
     */
    async accountOf(tx: Tx, proof: Proof, admit: Admit): Promise<Admission> {
      const { issuer, subject, verifiedEmail: email } = proof
      const refused = (reason: NotAdmitted): Admission => ({ refused: reason, email })
      if (!(await accounts.hasAny(tx))) return refused('not_set_up')
      const identity = await store.find(tx, [issuer, subject])
      const linked = identity && (await accounts.find(identity.account_id, tx))
      if (email === null && (!linked || !isOfDomain(email))) return refused('unverified_email')
      if (!isOfDomain(email)) return refused('other_domain')
      if (identity && linked) {
        const used = { last_used_at: clock.now(), email: email ?? undefined }
        await store.update(tx, [identity.id], used)
        return { account: (await admit(tx, linked.email)) ?? linked }
      }
      const existing = await accounts.findByEmail(email!, tx)
      const account = await admit(tx, email!)
      if (account === null) return refused('no_account')
      if (!(await link(tx, account, proof))) return refused('linked_to_another')
      if (existing !== null) await sendMail(tx, linkedMail(account.email, settings!.name, baseUrl))
      return { account }
    },
    async providersOf(accountIds: string[]): Promise<Map<string, string[]>> {
      const rows = await store.listIssuers(database.read, accountIds)
      const byAccount = Map.groupBy(rows, (row) => row.account_id)
      const names = (of: typeof rows) => of.map(({ issuer }) => providerName(issuer, settings))
      return new Map([...byAccount].map(([id, of]) => [id, names(of)]))
    },
    operations: operationsOf(contract, {
      listIdentities: async ({ account }) => {
        const rows = await store.list(database.read, [account.id])
        return rows.map(({ issuer, ...identity }) => ({
          ...identity,
          provider: providerName(issuer, settings),
        }))
      },
      unlinkIdentity: async ({ account }, { identity_id: id }) => {
        if (await database.write((tx) => store.remove(tx, [account.id, id]))) return
        throw refuse.notFound('identity_not_found', 'There is no such identity: it was unlinked.')
      },
    }),
    unlinkAll: (tx: Tx, accountId: string) => store.removeAll(tx, [accountId]),
  }
}

/** The name of the server's provider; of one that it used before, the host. */
function providerName(issuer: string, settings: SingleSignOnSettings | null): string {
  const { href, host } = new URL(issuer)
  return settings !== null && href === new URL(settings.issuer).href ? settings.name : host
}

/** Notifies the owner of an account that a provider can now sign in to it. */
export function linkedMail(to: string, provider: string, baseUrl: string): MailContent {
  const { host } = new URL(baseUrl)
  return {
    to,
    subject: `Your account at ${host} is linked to ${provider}`,
    heading: `You can sign in with ${provider}`,
    paragraphs: [
      `Somebody signed in to the account ${displayEmail(to)} with ${provider} for the first time.`,
      'If it was not you, unlink it in the account, and tell the operator of the server.',
    ],
    button: { label: 'Open the account', url: `${baseUrl}/app/account` },
    reason: `${provider} vouched for this address, and so it signs in to your account.`,
  }
}
