import { z } from 'zod'
import { SOURCES, settingsFields } from '../../model/page/index.ts'

export const ARCHIVE_FORMAT = 'handbill-archive-1'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** The first entry of an archive that is read. */
export const archiveAbout = z.object({ format: z.literal(ARCHIVE_FORMAT) })

const manifest = z.object({
  kind: z.enum(['single', 'bundle']),
  entry: z.string().max(1024),
  files: z
    .array(
      z.object({
        path: z.string().max(1024),
        hash,
        size_bytes: count,
        mime: z.string().max(200),
      }),
    )
    .min(1)
    .max(300),
  file_name: z.string().max(300).nullable(),
})

/** `page.json` of an archive: everything about a page but its files and what visitors gave it. */
export const archivedPage = z.object({
  id: z.string().max(100),
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{2,62}$/),
  title: z.string().max(400).nullable(),
  /** Of a setting that an older server lacks, the default holds. */
  settings: z.object(settingsFields).partial(),
  password: z.string().min(4).max(128).nullable(),
  source: z.enum(SOURCES),
  created_at: time,
  updated_at: time,
  published_at: time.nullable(),
  views: z.int().min(0).max(2_147_483_647),
  max_views: z.int().min(1).max(2_147_483_647).nullable(),
  draft: hash,
  published: hash.nullable(),
  versions: z
    .array(
      z.object({
        version_no: z.int().min(1).max(2_147_483_647),
        source: z.enum(['publish', 'edit', 'restore']),
        label: z.string().max(200).nullable(),
        manifest_id: hash,
        size_bytes: count,
        created_at: time,
      }),
    )
    .min(1)
    .max(2000),
  manifests: z.record(hash, manifest),
})
export type ArchivedPage = z.output<typeof archivedPage>
export type ArchivedManifest = ArchivedPage['manifests'][string]

const RESPONSE_BYTES = 256 * 1024

/** A row of `responses.ndjson`. Members that an import does not take are left out. */
export const archivedResponse = z.object({
  viewer: z.string().min(1).max(200),
  respondent: z.string().min(1).max(320),
  name: z.string().max(200).nullable(),
  submitted_at: time,
  created_at: time,
  page_version: time.nullable(),
  path: z.string().max(1024),
  submit_count: z.int().min(1).max(2_147_483_647),
  data: z.string().max(RESPONSE_BYTES).refine(isJsonObject),
})
export type ArchivedResponse = z.output<typeof archivedResponse>

function isJsonObject(text: string): boolean {
  if (Buffer.byteLength(text) > RESPONSE_BYTES) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
