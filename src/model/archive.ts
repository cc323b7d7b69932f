import { z } from 'zod'
import { ACCENTS } from './accent.ts'
import { MAX_LOGO_BYTES } from './brand.ts'
import { agreementSetting, SOURCES, settingsFields } from './page/index.ts'
import { plainLine } from './plain-text.ts'
import { parseTimestamp } from './times.ts'

/** Members of the rows of an archive, whose schema each feature has for its own rows. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** As the tables have it, so that a day that no calendar has is none. */
export const time = z.string().refine((text) => parseTimestamp(text) === text)
export const id = z.string().min(1).max(100)
const INT = 2_147_483_647
export const natural = z.int().min(0).max(INT)
export const positive = z.int().min(1).max(INT)
export const bit = z.union([z.literal(0), z.literal(1)])
export const MAX_NOTE = 2000
export const name = z
  .string()
  .max(4 * MAX_NOTE)
  .transform(plainLine)
  .nullable()

export const ARCHIVE_FORMAT = 'handbill-archive-1'

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const archiveAbout = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  server: z.string().max(2000).optional(),
  /** How the account presents itself. Older exports have the name alone. */
  account: z
    .object({
      name: z.string().max(100).transform(plainLine).nullable(),
      accent: z.enum(ACCENTS).nullable().default(null),
      logo_base64: z
        .string()
        .max(4 * Math.ceil(MAX_LOGO_BYTES / 3))
        .nullable()
        .default(null),
    })
    .optional()
    .catch(undefined),
})
export type ArchivedBrand = NonNullable<z.output<typeof archiveAbout>['account']>

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

/** `page.json` of an archive: all data of a page except its files and the data from visitors. */
export const archivedPage = z.object({
  id,
  /** Where it was made, if that is another server. Older exports lack it. */
  origin: z
    .object({ server: z.string().max(2000), page_id: id })
    .nullable()
    .default(null),
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{2,62}$/),
  title: z.string().max(400).nullable(),
  /** Of a setting that an older server lacks, the default holds. */
  settings: z.object({ ...settingsFields, agreement: agreementSetting.nullable() }).partial(),
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
        // Archives from before have none of both.
        via: z.string().max(20).nullable().default(null),
        key_name: z.string().max(200).nullable().default(null),
      }),
    )
    .min(1)
    .max(2000),
  manifests: z.record(hash, manifest),
})
export type ArchivedPage = z.output<typeof archivedPage>
export type ArchivedManifest = ArchivedPage['manifests'][string]

/** Rows in pieces that fit in memory, each for one short transaction. They can be read again. */
export interface Batches<T> extends AsyncIterable<readonly T[]> {
  /** How many rows there are. */
  readonly count: number
}
