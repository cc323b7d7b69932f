import { join } from 'node:path'
import {
  DEFAULT_PLANS,
  inMegabytes,
  type Limits,
  MAX_FILE_BYTES,
  MAX_RESPONSE_BYTES,
  MAX_RESPONSES,
  PLANS as PLAN_IDS,
} from '../model/plan.ts'
import { planLimits } from '../model/plan-limits.ts'
import type { Variable } from './config-readers.ts'
import { VARIABLES } from './config-variables.ts'

/** Run `bin/bun src/platform/config-docs.ts` to write this file. */
export const CONFIGURATION_MD = join(import.meta.dir, '../../docs/configuration.md')

const HEAD = `# Configuration

<!-- Written by \`bin/bun src/platform/config-docs.ts\` from src/platform/config-variables.ts. -->

Every setting is an environment variable, and all of them are optional. The server also reads a
\`.env\` file in the folder where it is started; variables of the environment win over that file.
An empty variable counts as unset. The server checks all settings at start. It prints one line to
stderr for each bad one and exits with status 1.

| variable | default | meaning |
|---|---|---|
`

const S3 = `
## Files in S3

With the five settings \`S3_*\`, files over 64 KB are objects in a bucket, such as one of AWS,
Cloudflare R2, Backblaze B2, Ceph, Garage or MinIO. Smaller ones are in the database. Set all
five, or none. The server addresses the bucket in the path: \`S3_ENDPOINT/S3_BUCKET/blobs/…\`.
It reads, writes and deletes nothing in the bucket outside of \`blobs/\`. Two installations
cannot share a bucket: each would delete what it does not know.

- **The key** needs \`s3:ListBucket\` on the bucket, and \`s3:GetObject\`, \`s3:PutObject\`
  and \`s3:DeleteObject\` on \`blobs/*\`. The bucket stays private: visitors get files from
  Handbill alone, after the page's gate, and never an address of the object store.
- **\`DATA_DIR\` is still needed**: for uploads until they are complete, and for copies of the
  files over 1 MB that were used last, up to 2 GB or a quarter of the free space. The copies
  are deleted when the server stops. Do not switch on versions or object locks in the bucket:
  deleted files would stay.
- **Each file is checked**: the store gets the SHA-256 of what it is sent, and what it sends
  is compared with that before a visitor gets a byte. Wrong bytes are answered with 503, and a
  line in the log.
- **While the store does not answer**, pages in the database and in memory are served as ever.
  What needs the store is answered with 503 and \`Retry-After\`, and nothing is saved half.
  \`/readyz\` stays 200, since the server still serves pages, and says that \`files\` are
  \`unavailable\`.
- **At the start** the server lists the bucket. It stops with one line where the bucket, the
  region or the key is wrong, and starts where the store does not answer.
- Setting or unsetting \`S3_*\` moves no files: copy \`DATA_DIR/blobs/xx/NAME\` to
  \`blobs/NAME\` in the bucket, or back, while the server is stopped.
`

const BACKUPS = `
## Scheduled backups

With \`BACKUP_URL\`, the server puts a backup of everything into a folder or a bucket once a day, in
the form of \`handbill backup create\`. The newest 14 are kept, or as many as \`keep\` says.

| place | \`BACKUP_URL\` |
|---|---|
| a folder | \`/var/backups/handbill\`, or \`file:///var/backups/handbill?keep=30\` |
| a bucket | \`s3://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION&keep=30\` |
| a bucket without TLS, on this network | \`s3+http://KEY:SECRET@HOST:PORT/BUCKET?region=REGION\` |

- **The folder** must be there, and the server may write to it; it is not made, since it may be a
  disk that is not mounted. Use a disk of its own: \`DATA_DIR\` is refused.
- **In a bucket**, the key needs \`s3:ListBucket\`, \`s3:GetObject\`, \`s3:PutObject\`,
  \`s3:DeleteObject\` and \`s3:AbortMultipartUpload\`. Write \`/\` in a secret as \`%2F\`.
  A rule of the bucket should delete unfinished multipart uploads after a day: a server that is
  killed leaves one. A backup in a bucket can have up to 156 GB.
- **Each backup is read again** and compared with what was written before older ones are deleted.
  None is deleted for a backup that lacks a file.
- **One node makes it**, where several share a database, the first time five seconds after its
  start. A failure is in the log, at \`/readyz\` and in the operator's part of the app, and the
  next try comes ten minutes later.
- **\`handbill backup list\`** lists the backups. \`backup restore latest\` brings the newest
  complete one back, and a name of the list that one. Other files are neither listed nor deleted.
- Each installation needs a folder of its own: it deletes the oldest backups it finds there.
`

const PLANS = `
## Plans

There are three plans: \`free\`, \`pro\` and \`team\`. \`PLANS_FILE\` names a JSON file that
changes what they are called, what they cost and what they allow. What it leaves out stays as it is
here.

\`\`\`json
{
  "free": { "name": "Starter", "limits": { "stored_bytes": 104857600, "upload_bytes": 20971520 } },
  "pro": { "name": "Studio", "price": "12 € a month", "limits": { "stored_bytes": 53687091200 } }
}
\`\`\`

| limit | free | pro | team | what it is |
|---|---|---|---|---|
${limitRows()}

- **\`name\` and \`price\`** are text for people: in the app, in messages and in the reference of
  the API. Commands and the API go on calling the plans \`free\`, \`pro\` and \`team\`.
- **Sizes are in bytes.** A megabyte has 1,048,576. The most that can be set is
  ${inMegabytes(MAX_FILE_BYTES)} for a file or a deck, and ${MAX_RESPONSES.toLocaleString('en')}
  responses of ${inMegabytes(MAX_RESPONSE_BYTES)} for a page. \`stored_bytes\` and
  \`upload_bytes\` must have room for the largest file and deck.
- **A smaller limit deletes nothing.** An account that is over it goes on being served, and can
  delete pages and change their settings; it stores nothing more until it is below.
- **The file is read at the start**, which prints a line for each error in it.
`

function limitRows(): string {
  const rows = Object.entries(planLimits.shape).map(([name, { description = '' }]) => {
    const values = PLAN_IDS.map((id) => valueText(DEFAULT_PLANS[id].limits[name as keyof Limits]))
    return `| \`${name}\` | ${values.join(' | ')} | ${description} |`
  })
  return rows.join('\n')
}

function valueText(value: number | boolean): string {
  return typeof value === 'boolean' ? String(value) : value.toLocaleString('en')
}

export function configurationDocs(): string {
  const rows = describeVariables().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |\n`,
  )
  return [HEAD, ...rows, PLANS, S3, BACKUPS].join('')
}

/** A setting of the server, in Markdown. */
export interface DescribedVariable {
  name: string
  fallback: string
  meaning: string
}

export function describeVariables(): DescribedVariable[] {
  return Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const { about, must, isSecret } = variable
    const secret = isSecret ? ' It is never printed or logged.' : ''
    const rule = must === undefined ? '' : ` Must be ${must.replaceAll('<', '\\<')}.`
    return { name, fallback: defaultOf(variable), meaning: about + rule + secret }
  })
}

function defaultOf({ unset, fallback }: Variable<unknown>): string {
  if (fallback === null) return unset ?? 'none'
  return fallback === '' ? 'none' : `\`${fallback}\``
}

if (import.meta.main) await Bun.write(CONFIGURATION_MD, configurationDocs())
