import { isAbsolute, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { S3Settings } from '../blobs/s3/client.ts'

/** What `BACKUP_URL` says. */
export interface BackupSettings {
  target: { folder: string } | { s3: S3Settings; prefix: string }
  /** How many backups are kept. */
  keep: number
}

const DEFAULT_KEEP = 14
const MAX_KEEP = 1000
const PROTOCOLS: Record<string, string> = { 's3:': 'https:', 's3+http:': 'http:' }

/**
 * Reads a folder (`/var/backups/handbill`, `file:///var/backups/handbill?keep=14`) or a part of a
 * bucket (`s3://KEY:SECRET@HOST/BUCKET/FOLDER?region=REGION&keep=14`).
 *
 * @returns null where it is neither
 */
export function parseBackupUrl(text: string): BackupSettings | null {
  if (isAbsolute(text)) return { target: { folder: normalize(text) }, keep: DEFAULT_KEEP }
  const url = URL.parse(text)
  if (url === null || url.hash !== '') return null
  const { keep: keepText = String(DEFAULT_KEEP), region, ...unknown } = queryOf(url)
  if (!/^\d{1,4}$/.test(keepText) || Object.keys(unknown).length > 0) return null
  const keep = Number(keepText)
  const target = url.protocol === 'file:' ? folderIn(url, region) : bucketIn(url, region)
  if (target === null || keep < 1 || keep > MAX_KEEP) return null
  return { target, keep }
}

function queryOf(url: URL): Record<string, string | undefined> {
  return Object.fromEntries(url.searchParams)
}

function folderIn(url: URL, region: string | undefined) {
  if (url.host !== '' || region !== undefined) return null
  try {
    return { folder: normalize(fileURLToPath(new URL(url.pathname, 'file:///'))) }
  } catch {
    return null
  }
}

function bucketIn(url: URL, region: string | undefined) {
  const protocol = PROTOCOLS[url.protocol]
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '')
  const isNamed = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)
  // Names that mean the same in a path, a signature and XML.
  const arePlain = folders.every((part) => /^[\w-][\w.-]*$/.test(part))
  if (protocol === undefined || url.host === '' || !isNamed || !arePlain) return null
  if (url.username === '' || url.password === '' || !/^[a-z0-9-]{1,64}$/.test(region ?? '')) {
    return null
  }
  try {
    const s3 = {
      bucket,
      endpoint: `${protocol}//${url.host}`,
      region: region!,
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    }
    return { s3, prefix: folders.map((part) => `${part}/`).join('') }
  } catch {
    return null
  }
}
