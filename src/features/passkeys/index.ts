import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { operationsOf } from '../../model/operation.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { newId } from '../../platform/ids.ts'
import { loadOnce } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import {
  ALGORITHMS,
  CHALLENGE_MS,
  type ChallengeDeps,
  type Challenges,
  createChallenges,
  type Holder,
} from './challenges.ts'
import * as contract from './contract.ts'
import { assertion } from './contract.ts'
import * as store from './store.ts'
import type { Expected } from './webauthn.ts'

const MAX_PASSKEYS = 20

interface PasskeyDeps
  extends ChallengeDeps,
    Pick<Services, 'database' | 'log' | 'baseUrl' | 'sendMail'> {
  findAccount(id: string, db?: Db): Promise<Account | null>
  /** @returns false where the account was deleted */
  lockAccount(tx: Tx, id: string): Promise<boolean>
}

/** A passkey that has answered a challenge. */
export interface Proof {
  passkeyId: string
  accountId: string
  counter: number
}

export type Passkeys = ReturnType<typeof createPasskeys>

/** The passkeys that sign in to accounts (WebAuthn). */
export function createPasskeys(deps: PasskeyDeps) {
  const { database, clock, baseUrl, findAccount, lockAccount, sendMail } = deps
  const site = new URL(baseUrl)
  const challenges = createChallenges(deps)
  const verify = createVerify(deps, challenges)

  return {
    /** What `navigator.credentials.get` takes: any passkey of this server, of whatever account. */
    signInOptions: (browser: string) => ({
      challenge: challenges.make({ purpose: 'sign-in', id: browser }),
      rpId: site.hostname,
      timeout: CHALLENGE_MS,
      userVerification: 'required' as const,
    }),
    /**
     * Checks the answer of a browser that signs in.
     *
     * @param answer as it was sent
     * @throws Refusal `passkey_refused`
     */
    async prove(answer: unknown, browser: string): Promise<Proof> {
      const { data: response } = assertion.safeParse(answer)
      const passkey = response && (await store.findByCredential(database.read, [response.id]))
      if (!passkey || response.response.userHandle !== handleOf(passkey.account_id)) throw refused()
      const { id: passkeyId, account_id: accountId } = passkey
      const counter = await verify(
        { purpose: 'sign-in', id: browser },
        { passkey_id: passkeyId },
        (webauthn, expected) => webauthn.verifyAssertion(response, passkey, expected),
      )
      return { passkeyId, accountId, counter }
    },
    /**
     * Records that a passkey signs in, in the transaction that makes the session.
     *
     * @throws Refusal `passkey_refused` where it or its account was removed meanwhile
     */
    async use(tx: Tx, { passkeyId, accountId, counter }: Proof): Promise<Account> {
      const isUsed = await store.recordUse(tx, [passkeyId, counter, clock.now()])
      const account = isUsed ? await findAccount(accountId, tx) : null
      if (account === null) throw refused()
      return account
    },
    operations: operationsOf(contract, {
      listPasskeys: ({ account }) => store.list(database.read, [account.id]),
      startPasskey: async ({ account, sessionId }) => {
        const passkeys = await store.list(database.read, [account.id])
        if (passkeys.length >= MAX_PASSKEYS) throw tooMany()
        const challenge = challenges.make({ purpose: 'add', id: sessionId })
        const excludeCredentials = passkeys.map((passkey) => publicKey(passkey.credential_id))
        return { ...optionsFor(account, site), challenge, excludeCredentials }
      },
      addPasskey: async ({ account, sessionId }, { name, response }) => {
        const key = await verify(
          { purpose: 'add', id: sessionId },
          { account_id: account.id },
          (webauthn, expected) => webauthn.verifyRegistration(response, expected),
        )
        const passkey = { id: newId('psk'), name, created_at: clock.now(), last_used_at: null }
        await database.write(async (tx) => {
          // Two requests at once count one after the other, and a deleted account gets none.
          if (!(await lockAccount(tx, account.id))) throw refused()
          if ((await store.list(tx, [account.id])).length >= MAX_PASSKEYS) throw tooMany()
          const row = { ...passkey, ...key, account_id: account.id }
          if (!(await store.insertOnce(tx, row))) {
            throw refuse.conflict('passkey_exists', 'This passkey was added before.')
          }
          await sendMail(tx, addedMail(account.email, baseUrl))
        })
        return passkey
      },
      renamePasskey: async ({ account }, { passkey_id: id, name }) => {
        const passkey = await database.write((tx) => store.rename(tx, [account.id, id, name]))
        if (passkey === undefined) throw notFound()
        return passkey
      },
      removePasskey: async ({ account: { id: accountId } }, { passkey_id: id }) => {
        const isRemoved = await database.write((tx) => store.remove(tx, [accountId, id]), 'freeing')
        if (!isRemoved) throw notFound()
      },
    }),
    removeAll: (tx: Tx, accountId: string) => store.removeAll(tx, [accountId]),
  }
}

type Library = typeof import('./webauthn.ts')

/**
 * Returns a function that has an answer verified, and uses its challenge up.
 *
 * @throws Refusal `passkey_refused`, with the same words whatever is wrong
 */
function createVerify({ log, baseUrl }: PasskeyDeps, challenges: Challenges) {
  const { origin, hostname: rpId } = new URL(baseUrl)
  // Most processes need the library never, and it is large.
  const library = loadOnce(() => import('./webauthn.ts'))

  return async <T>(
    holder: Holder,
    about: Record<string, string>,
    verify: (webauthn: Library, expected: Expected) => Promise<T>,
  ): Promise<T> => {
    const webauthn = await library()
    let answer = ''
    const isChallenge = (challenge: string) => {
      answer = challenge
      return challenges.isOf(holder, challenge)
    }
    const result = await verify(webauthn, { origin, rpId, isChallenge }).catch((err: unknown) => {
      log.warn('a passkey was refused', { ...about, err })
      throw refused()
    })
    if (!(await challenges.use(answer))) throw refused()
    return result
  }
}

const publicKey = (id: string) => ({ type: 'public-key' as const, id })

/** What `navigator.credentials.create` takes, but for the challenge and the passkeys of before. */
function optionsFor({ id, email, name }: Account, { hostname, host }: URL) {
  const address = displayEmail(email)
  return {
    rp: { id: hostname, name: host },
    user: { id: handleOf(id), name: address, displayName: name ?? address },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none' as const,
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
  }
}

/** What an authenticator keeps of the account: neither its address nor its name. */
function handleOf(accountId: string): string {
  return Buffer.from(accountId).toString('base64url')
}

export function refused() {
  return refuse.forbidden(
    'passkey_refused',
    'This passkey was not accepted: it is not of this server, was removed, or answered too late. ' +
      'Try again, or sign in another way.',
  )
}

function tooMany() {
  const message = `An account has at most ${MAX_PASSKEYS} passkeys: remove one that is not used.`
  return refuse.conflict('too_many_passkeys', message)
}

function notFound() {
  return refuse.notFound('passkey_not_found', 'There is no such passkey: it was removed.')
}

/** Notifies the owner of an account that a passkey can now sign in to it. */
export function addedMail(to: string, baseUrl: string): MailContent {
  const { host } = new URL(baseUrl)
  return {
    to,
    subject: `A passkey was added to your account at ${host}`,
    heading: 'You can sign in with a new passkey',
    paragraphs: [
      `Somebody who was signed in to the account ${displayEmail(to)} added a passkey to it.`,
      'If it was not you, remove it in the account, and sign all other browsers out there.',
    ],
    button: { label: 'Open the account', url: `${baseUrl}/app/account` },
    reason: 'A passkey signs in to the account of this address.',
  }
}
