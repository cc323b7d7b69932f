import {
  type Account,
  assertNotSuspended,
  tooManyUploads,
  uploadBytesReached,
} from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf, type RawBody } from '../../model/operation.ts'
import { inMegabytes, maxPendingUploads } from '../../model/plan.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { signedText } from '../../platform/signed-token.ts'
import type { Content } from './content.ts'
import * as contract from './contract.ts'
import { bytesIn } from './staging.ts'
import * as store from './store.ts'

const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000
const LINK_LIFE_MS = 15 * 60 * 1000
/** 132 bits of the signature: the address is copied by people and by models. */
const SIGNATURE_CHARS = 22

export interface Upload {
  id: string
  sha256: string
  size_bytes: number
  expires_at: string
}

export interface UploadedBytes {
  bytes: Uint8Array
  /** SHA-256, hex; null where the bytes are not stored yet. */
  storedHash: string | null
}

export type Uploads = ReturnType<typeof createUploads>

interface UploadsDeps extends Pick<Services, 'database' | 'clock' | 'secrets'> {
  content: Pick<Content, 'putStream' | 'putSmall' | 'bytes' | 'pieces'>
  findAccount(id: string): Promise<Account | null>
  lockAccount: PendingUploadDeps['lockAccount']
}

/** Content that is sent ahead of the request that uses it, because a body could not hold it. */
export function createUploads(deps: UploadsDeps) {
  const { database, clock, secrets, content, findAccount } = deps
  /** Of the right to make one upload: its id, its account and when the token expires. */
  const tokens = signedText(secrets, 'upload-link', SIGNATURE_CHARS)
  const pending = createPendingUploads(deps)

  /** @throws Refusal `upload_not_found`, which names `param` */
  async function hashOf({ id: accountId }: Account, id: string, param: string): Promise<string> {
    const upload = isId('up', id)
      ? await store.findUpload(database.read, [accountId, id, clock.now()])
      : undefined
    if (upload !== undefined) return upload.hash
    const message = 'There is no such upload: it never existed, or its 24 hours are over.'
    throw refuse.invalid('upload_not_found', message, { param })
  }

  return {
    /**
     * @param id of an upload link, which this uses up
     * @throws Refusal `content_too_large`, `quota_reached`, `empty_upload`, `upload_link_gone`
     */
    async create(account: Account, body: RawBody, id = newId('up')): Promise<Upload> {
      const most = account.limits.file_bytes
      const giveBack = await pending.keepRoom(account, Math.min(body.declaredBytes ?? most, most))
      try {
        const stored = await content.putStream(withinLimit(account, body), body.declaredBytes)
        const { hash, sizeBytes, newBlobs } = stored
        const upload = { id, size_bytes: sizeBytes, expires_at: clock.after(UPLOAD_LIFE_MS) }
        const row = { ...upload, account_id: account.id, hash, created_at: clock.now() }
        await database.write(async (tx) => {
          await pending.assertRoom(tx, account, sizeBytes)
          await content.putSmall(tx, newBlobs, row.created_at)
          if (!(await store.insertUpload(tx, row))) throw linkGone()
        })
        return { ...upload, sha256: hash }
      } finally {
        giveBack()
      }
    },
    /** What no page has yet, of an account. */
    pending: pending.read,
    /** How many uploads arrive now. */
    arriving: pending.arriving,
    /** The right to make one upload without a key. It stores nothing: the token is signed. */
    createLink({ id: accountId }: Account) {
      const id = newId('up')
      const expiresS = Math.floor((clock.ms() + LINK_LIFE_MS) / 1000)
      const token = tokens.make([], [id, accountId, expiresS.toString(36)].join('.'))
      return { id, token, expires_at: clock.after(LINK_LIFE_MS) }
    },
    /** @throws Refusal `upload_link_gone`, `account_suspended` */
    async openLink(token: string) {
      const [id = '', accountId = '', expires = ''] = tokens.read([], token)?.split('.') ?? []
      const isValid = isId('up', id) && Number.parseInt(expires, 36) * 1000 > clock.ms()
      const account = isValid ? await findAccount(accountId) : null
      if (account === null || (await store.hasUpload(database.read, [id]))) throw linkGone()
      assertNotSuspended(account)
      return { id, account }
    },
    async deleteAll(tx: Tx, accountId: string) {
      const hashes = await store.deleteUploadsOf(tx, [accountId])
      await store.blobCandidates.mark(tx, hashes, clock.now())
    },
    /** The size of one or more uploads together; 0 for one that is not there. */
    sizeOf: async ({ id }: Account, ids: string[]) =>
      bytesIn(await store.listUploadSizes(database.read, ids, id)),
    /** @throws Refusal `upload_not_found`, which names `param` */
    async read(account: Account, id: string, param: string): Promise<UploadedBytes> {
      const storedHash = await hashOf(account, id, param)
      return { bytes: await content.bytes(storedHash), storedHash }
    },
    /** The same piece by piece. */
    pieces: async (account: Account, id: string, param: string) =>
      content.pieces(await hashOf(account, id, param)),
  }
}

function linkGone() {
  return refuse.notFound(
    'upload_link_gone',
    'This address takes no upload: it was used, has expired, or is incomplete. Make another.',
  )
}

/** Passes the chunks on, and throws when they exceed the plan's limit or are none. */
async function* withinLimit(account: Account, chunks: RawBody) {
  const { plan, plan_name } = account
  const limit = account.limits.file_bytes
  let sizeBytes = 0
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > limit) {
      throw refuse.tooLarge(
        'content_too_large',
        `An upload may have ${inMegabytes(limit)} on the ${plan_name} plan: send less.`,
        { limit, plan },
      )
    }
    yield chunk
  }
  if (sizeBytes === 0) {
    throw refuse.invalid('empty_upload', 'The upload is empty.', { param: 'body' })
  }
}

interface PendingUploadDeps extends Pick<Services, 'database' | 'clock'> {
  lockAccount(tx: Tx, accountId: string): Promise<unknown>
}

/** Uploads of an account that no page has yet: each waits a day for one. */
function createPendingUploads(deps: PendingUploadDeps) {
  const { database, clock, lockAccount } = deps
  /** What arrives now, by account. */
  const arriving = new Map<string, store.Pending>()

  const read = async (accountId: string, db: Db) =>
    (await store.findPending(db, [accountId, clock.now()]))!

  function addArriving(accountId: string, uploads: number, bytes: number): void {
    const sum = plus(arriving.get(accountId), { uploads, upload_bytes: bytes })
    if (sum.uploads === 0) arriving.delete(accountId)
    else arriving.set(accountId, sum)
  }

  async function assertFits(db: Db, account: Account, bytes: number, others?: store.Pending) {
    const { id, limits } = account
    const fits = ({ uploads, upload_bytes: used }: store.Pending) =>
      uploads < maxPendingUploads(limits) && used + bytes <= limits.upload_bytes
    // Where all fit, none of them has to be looked for in pages: a deck has thousands.
    const all = await store.findAllUploads(db, [id, clock.now()])
    if (fits(plus(others, all!))) return
    const pending = plus(others, await read(id, db))
    if (fits(pending)) return
    const { uploads, upload_bytes: used } = pending
    if (uploads >= maxPendingUploads(limits)) throw tooManyUploads(account, uploads)
    throw uploadBytesReached(account, { used, needed: bytes })
  }

  return {
    /**
     * Keeps room for an upload while it arrives, so that what is refused is not stored before.
     *
     * @returns a function that gives the room back
     * @throws Refusal `quota_reached`
     */
    async keepRoom(account: Account, bytes: number) {
      const { id } = account
      await assertFits(database.read, account, bytes, arriving.get(id))
      addArriving(id, 1, bytes)
      return () => addArriving(id, -1, -bytes)
    },
    /** Locks the account until the upload is stored. @throws Refusal `quota_reached` */
    async assertRoom(tx: Tx, account: Account, bytes: number) {
      await lockAccount(tx, account.id)
      await assertFits(tx, account, bytes)
    },
    read,
    arriving: () => arriving.values().reduce((sum, { uploads }) => sum + uploads, 0),
  }
}

function plus(one: store.Pending | undefined, other: store.Pending): store.Pending {
  return {
    uploads: other.uploads + (one?.uploads ?? 0),
    upload_bytes: other.upload_bytes + (one?.upload_bytes ?? 0),
  }
}

export function contentOperations(uploads: Uploads, baseUrl: string) {
  return operationsOf(contract, {
    createUpload: ({ account }, _input, body) => uploads.create(account, body),
    createUploadLink: async ({ account }) => {
      const { token, ...link } = uploads.createLink(account)
      const url = `${baseUrl}/~/uploads/${token}`
      return { ...link, url, command: `curl --upload-file FILE '${url}'` }
    },
  })
}
