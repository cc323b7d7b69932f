import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JWK } from 'jose'
import { limited } from '../../src/client/call.ts'
import {
  type ApprovalRecord,
  approvalRecord,
  manifestOfRecord,
  RECORD_ALGORITHM,
  RECORD_TYPE,
} from '../../src/model/approval-record.ts'
import { decisionWords, proofWords } from '../../src/model/decision.ts'
import { manifestText } from '../../src/model/manifest.ts'
import { minuteOf } from '../../src/model/page/facts.ts'
import type { CommandContext } from '../command.ts'
import { sha256Of } from '../content.ts'
import { parseServerUrl } from '../credentials.ts'
import { isRecord, readJson, readObject, unreadable, writeJson } from '../json-files.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { printStatus } from '../terminal.ts'

/** Above what the record of any page has. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

interface CheckedFile {
  file: string
  sha256: string
  /** The file of the page with these bytes; null if it has none. */
  path: string | null
}

export async function verify(context: CommandContext): Promise<void> {
  const [recordPath = '', ...paths] = context.args
  const text = readText(resolve(context.env.cwd, recordPath))
  const { record, key } = await readRecord(text, (issuer) => findSigningKeys(context, issuer))
  const files: CheckedFile[] = []
  for (const path of paths) files.push(await checkFile(context.env.cwd, path, record))
  const wrong = files.filter(({ path }) => path === null)
  const result = { valid: wrong.length === 0, key_id: key.id, key_from: key.from, files, record }
  if (wrong.length === 0) return context.print(result, describe({ record, key }, files))
  const names = wrong.map(({ file }) => file).join(', ')
  throw new CommandFailed(
    `The record is genuine, but its page has no file with the bytes of ${names}.`,
  )
}

function readText(path: string): string {
  try {
    const { size } = statSync(path)
    if (size <= MAX_RECORD_BYTES) return readFileSync(path, 'utf8')
  } catch (err) {
    throw unreadable(path, err)
  }
  throw new CommandFailed(`${path} is too large to be a record of approvals.`)
}

/** Files are compared by their bytes, whatever their names are. */
async function checkFile(cwd: string, file: string, record: ApprovalRecord): Promise<CheckedFile> {
  const path = resolve(cwd, file)
  const sha256 = await sha256Of(createReadStream(path)).catch((err) => {
    throw unreadable(path, err)
  })
  const same = filesOf(record).filter((each) => each.sha256 === sha256)
  const match = same.find(({ path }) => basename(path) === basename(file)) ?? same[0]
  return { file, sha256, path: match?.path ?? null }
}

/** What a file can be compared with: the files of the page, and what people agreed to. */
function filesOf({ content, acceptances }: ApprovalRecord) {
  const hashes = new Map(acceptances.map((each) => [each.agreement_version, each.sha256]))
  const agreements = [...hashes].map(([no, sha256]) => ({ path: `agreement ${no}`, sha256 }))
  return [...content.files, ...agreements]
}

function describe({ record, key }: VerifiedRecord, files: CheckedFile[]): string[] {
  const { iss: issuer, iat, page, content, approvers, decisions, acceptances } = record
  const current = new Set(approvers.map(({ email }) => email))
  const former = decisions.filter(({ email }) => !current.has(email))
  const title = page.title === null ? '' : `  “${oneLine(page.title)}”`
  return [
    `genuine   signed by ${issuer} on ${minuteOf(new Date(iat * 1000).toISOString())}`,
    `key       ${key.id}, from ${key.from}`,
    `page      ${page.url}${title}`,
    `version   ${content.version_no}, content ${content.manifest}`,
    ...(files.length === 0 ? [] : [describeFiles(files, filesOf(record).length)]),
    '',
    ...approvers.flatMap(({ email, state, decision }) => [
      `${stateText(state, decision)}  ${email}${proofWords(decision?.proof)}`,
      ...noteLines(decision?.note ?? null),
    ]),
    ...former.flatMap(({ email, decision, version_no, note, proof }) => [
      `${decisionWords(decision, version_no)}, no longer an approver  ${email}${proofWords(proof)}`,
      ...noteLines(note),
    ]),
    ...acceptances.map(acceptanceLine),
  ]
}

function describeFiles(files: CheckedFile[], count: number): string {
  const paths = [...new Set(files.map(({ path }) => path))]
  const ratio = `${paths.length} of ${count} checked`
  return `files     ${ratio}: ${paths.map((path) => oneLine(path)).join(', ')}`
}

type Approver = ApprovalRecord['approvers'][number]

function stateText(state: Approver['state'], decision: Approver['decision']): string {
  if (decision === null) return 'waiting, no decision'
  const decided = decisionWords(decision.decision, decision.version_no)
  const at = minuteOf(decision.decided_at)
  return state === 'waiting' ? `waiting, ${decided} on ${at}` : `${decided} on ${at}`
}

function acceptanceLine(accepted: ApprovalRecord['acceptances'][number]): string {
  const { agreement_version: no, accepted_at: at, name, email, proof } = accepted
  const who = email === null ? oneLine(name) : `${oneLine(name)}, ${email}${proofWords(proof)}`
  return `agreed to agreement ${no} on ${minuteOf(at)}  ${who}`
}

function noteLines(note: string | null): string[] {
  return note === null ? [] : note.split('\n').map((line) => `    ${oneLine(line)}`)
}

/** The public keys of a server, and where they were found. */
interface SigningKeys {
  keys: JWK[]
  /** Completes "from …". */
  from: string
}

type VerifiedRecord = Awaited<ReturnType<typeof readRecord>>

/**
 * Verifies the signature and the consistency of a record.
 *
 * @param findKeys the keys of the server that the record names as its issuer. A key inside the
 *   record would prove nothing: anybody could have put it there.
 * @throws CommandFailed
 */
async function readRecord(text: string, findKeys: (issuer: string) => Promise<SigningKeys>) {
  const jws = text.trim()
  const payload = parsePayload(jws)
  const { keys, from } = await findKeys(payload.iss)
  const { kid = '' } = headerOf(jws)
  try {
    await compactVerify(jws, createLocalJWKSet({ keys }), { algorithms: [RECORD_ALGORITHM] })
  } catch (err) {
    throw new CommandFailed(
      err instanceof errors.JWKSNoMatchingKey
        ? `The record is signed with another key than those of ${payload.iss} (from ${from}).`
        : 'The record is not genuine: its signature does not match its content.',
    )
  }
  const hash = createHash('sha256')
    .update(manifestText(manifestOfRecord(payload)))
    .digest('hex')
  if (hash !== payload.content.manifest) {
    throw new CommandFailed('The record contradicts itself: its files have another hash.')
  }
  return { record: payload, key: { id: kid, from } }
}

/** The claims of the record, whose signature has not been verified. */
function parsePayload(jws: string): ApprovalRecord {
  const [, payload = '', signature, ...more] = jws.split('.')
  if (signature !== undefined && more.length === 0) {
    try {
      return approvalRecord.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    } catch {
      // Reported below.
    }
  }
  throw new CommandFailed(
    'This is no record of approvals: a record is the answer of GET /pages/{id}/approvals/record.',
  )
}

function headerOf(jws: string) {
  try {
    const header = decodeProtectedHeader(jws)
    if (header.alg === RECORD_ALGORITHM && header.typ === RECORD_TYPE) return header
  } catch {
    // Reported below.
  }
  throw new CommandFailed('This is no record of approvals: its header names another format.')
}

const KEYS_PATH = '/.well-known/jwks.json'
const MAX_KEYS_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000

/**
 * Finds the public keys of a record's issuer: in the file of `--jwks`, else among those stored
 * earlier, else at the issuer itself. It asks only a server that the user names or works with,
 * because the record itself, which may be forged, names the issuer.
 *
 * @throws CommandFailed
 */
async function findSigningKeys(
  { flags, env, credentials, server }: CommandContext,
  issuer: string,
): Promise<SigningKeys> {
  const trusted = typeof flags.issuer === 'string' ? parseServerUrl(flags.issuer) : null
  if (trusted !== null && trusted !== issuer) {
    throw new CommandFailed(`The record says that it is of ${oneLine(issuer)}, not of ${trusted}.`)
  }
  if (typeof flags.jwks === 'string') {
    const path = resolve(env.cwd, flags.jwks)
    const jwks = readJson(path)
    if (jwks === undefined) throw unreadable(path, { code: 'ENOENT' })
    return { keys: keysIn(jwks, path), from: flags.jwks }
  }
  const path = join(dirname(credentials.path), 'signing-keys.json')
  const keyring = readObject(path)
  if (Object.hasOwn(keyring, issuer)) return { keys: keysIn(keyring[issuer], path), from: path }
  if (trusted === null && issuer !== server) throw untrusted(issuer)
  const fetched = await fetchKeys(issuer)
  writeJson(path, { ...keyring, [issuer]: { keys: fetched } }, 0o600)
  printStatus(`Stored the public key of ${issuer} in ${path}.`)
  return { keys: fetched, from: `${issuer}${KEYS_PATH}` }
}

function keysIn(value: unknown, name: string): JWK[] {
  if (isRecord(value) && Array.isArray(value.keys) && value.keys.every(isRecord)) {
    return value.keys as JWK[]
  }
  throw new CommandFailed(`${name} has no key set: save ${KEYS_PATH} of the server there.`)
}

async function fetchKeys(issuer: string): Promise<JWK[]> {
  const url = `${issuer}${KEYS_PATH}`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { redirect: 'error', signal }).catch(() => null)
  if (!response?.ok) {
    throw new CommandFailed(
      `${url} does not answer. Without a network, give a copy of it with --jwks FILE.`,
    )
  }
  const body = new Response(limited(response, MAX_KEYS_BYTES, issuer))
  return keysIn(await body.json().catch(() => null), url)
}

function untrusted(issuer: string): CommandFailed {
  return new CommandFailed(
    `The record says that it is of ${oneLine(issuer)}. If you expect that server, add ` +
      `--issuer ${oneLine(issuer)}, or without a network --jwks FILE, a copy of its ${KEYS_PATH}.`,
  )
}
