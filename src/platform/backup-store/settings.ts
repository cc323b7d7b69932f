import { isAbsolute, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { percentDecoded } from '../../model/page-name.ts'
import type { S3Settings } from '../blobs/s3/client.ts'

/** The parsed `BACKUP_URL`. */
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
  const {
    keep: keepText = String(DEFAULT_KEEP),
    region,
    ...unknown
  } = Object.fromEntries(url.searchParams)
  if (!/^\d{1,4}$/.test(keepText) || Object.keys(unknown).length > 0) return null
  const keep = Number(keepText)
  const target = url.protocol === 'file:' ? folderIn(url, region) : bucketIn(url, region)
  if (target === null || keep < 1 || keep > MAX_KEEP) return null
  return { target, keep }
}

/**
 * Reads the address of one backup: that of a part of a bucket, with the backup's name at its end.
 *
 * @param buckets the settings whose key and region are used if the address names the same host
 * @returns null where it is none
 */
export function parseBackupAddress(text: string, buckets: readonly S3Settings[]) {
  const url = URL.parse(text)
  const [, folder, name] = /^(.*\/)([\w-][\w.-]*)$/.exec(url?.pathname ?? '') ?? []
  if (url === null || folder === undefined || name === undefined) return null
  url.pathname = folder
  const endpoint = `${PROTOCOLS[url.protocol]}//${url.host}`
  const same = buckets.find((each) => each.endpoint === endpoint)
  if (same !== undefined && url.username === '') {
    url.username = encodeURIComponent(same.accessKeyId)
    url.password = encodeURIComponent(same.secretAccessKey)
  }
  if (same !== undefined && !url.searchParams.has('region')) {
    url.searchParams.set('region', same.region)
  }
  const backup = parseBackupUrl(url.href)
  return backup !== null && 's3' in backup.target ? { ...backup.target, name } : null
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
  // Names that need no escape in a path, a signature or XML.
  const arePlain = folders.every((part) => /^[\w-][\w.-]*$/.test(part))
  if (protocol === undefined || url.host === '' || !isNamed || !arePlain) return null
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(percentDecoded)
  if (!accessKeyId || !secretAccessKey || !/^[a-z0-9-]{1,64}$/.test(region ?? '')) return null
  const endpoint = `${protocol}//${url.host}`
  const s3 = { bucket, endpoint, region: region!, accessKeyId, secretAccessKey }
  return { s3, prefix: folders.map((part) => `${part}/`).join('') }
}
