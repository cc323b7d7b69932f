import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { ApprovalRecord } from '../../src/model/approval-record.ts'
import { findSigningKeys, readRecord, type VerifiedRecord } from '../approval-record.ts'
import type { CommandContext } from '../command.ts'
import { describeFileError } from '../json-files.ts'
import { CommandFailed, oneLine, WrongUsage } from '../output.ts'

/** Above what the record of any page has. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

interface CheckedFile {
  file: string
  sha256: string
  /** The file of the page with these bytes; null if it has none. */
  path: string | null
}

export async function verify(context: CommandContext): Promise<void> {
  const [recordPath, ...paths] = context.args
  if (recordPath === undefined) throw new WrongUsage('RECORD is missing.')
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
    throw new CommandFailed(`Cannot read ${path}: ${describeFileError(err)}.`)
  }
  throw new CommandFailed(`${path} is too large to be a record of approvals.`)
}

/** Files are compared by their bytes, whatever their names are. */
async function checkFile(
  cwd: string,
  file: string,
  { content }: ApprovalRecord,
): Promise<CheckedFile> {
  const sha256 = await hashFile(resolve(cwd, file))
  const same = content.files.filter((each) => each.sha256 === sha256)
  const named = same.find(({ path }) => basename(path) === basename(file)) ?? same[0]
  return { file, sha256, path: named?.path ?? null }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (err) {
    throw new CommandFailed(`Cannot read ${path}: ${describeFileError(err)}.`)
  }
  return hash.digest('hex')
}

function describe({ record, key }: VerifiedRecord, files: CheckedFile[]): string[] {
  const { iss: issuer, iat, page, content, approvers, decisions } = record
  const current = new Set(approvers.map(({ email }) => email))
  const former = decisions.filter(({ email }) => !current.has(email))
  const title = page.title === null ? '' : `  “${oneLine(page.title)}”`
  return [
    `genuine   signed by ${issuer} on ${timeText(new Date(iat * 1000).toISOString())}`,
    `key       ${key.id}, from ${key.from}`,
    `page      ${page.url}${title}`,
    `version   ${content.version_no}, content ${content.manifest}`,
    ...(files.length === 0 ? [] : [describeFiles(files, content.files.length)]),
    '',
    ...approvers.flatMap(({ email, state, decision }) => [
      `${stateText(state, decision)}  ${email}`,
      ...noteLines(decision?.note ?? null),
    ]),
    ...former.flatMap(({ email, decision, version_no, note }) => [
      `${decisionText(decision)} version ${version_no}, no longer an approver  ${email}`,
      ...noteLines(note),
    ]),
  ]
}

function describeFiles(files: CheckedFile[], count: number): string {
  const paths = [...new Set(files.map(({ path }) => path))]
  const checked = `${paths.length} of ${count} checked`
  return `files     ${checked}: ${paths.map((path) => oneLine(path)).join(', ')}`
}

type Approver = ApprovalRecord['approvers'][number]

function stateText(state: Approver['state'], decision: Approver['decision']): string {
  if (decision === null) return 'waiting, no decision'
  const decided = `${decisionText(decision.decision)} version ${decision.version_no}`
  const at = timeText(decision.decided_at)
  return state === 'waiting' ? `waiting, ${decided} on ${at}` : `${decided} on ${at}`
}

function decisionText(decision: 'approved' | 'changes_requested'): string {
  return decision === 'approved' ? 'approved' : 'requested changes to'
}

function noteLines(note: string | null): string[] {
  return note === null ? [] : note.split('\n').map((line) => `    ${oneLine(line)}`)
}

function timeText(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`
}
