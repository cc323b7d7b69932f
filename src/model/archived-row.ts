import { z } from 'zod'
import { plainLine } from './plain-text.ts'
import { parseTimestamp } from './timestamp.ts'

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
