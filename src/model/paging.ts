import { z } from 'zod'

/** How many items of a list to skip. */
export const offset = z.int().min(0).max(2_147_483_647).default(0).describe('How many to skip.')

/** The part of a list that a request asks for. */
export function paging({ most, usual }: { most: number; usual: number }) {
  return {
    limit: z.int().min(1).max(most).default(usual).describe('The most to answer.'),
    offset,
  }
}

export interface Paging {
  limit: number
  offset: number
}

/** In the answer of a list. */
export const nextOffset = z.int().nullable().describe('Pass as offset for more; null at the end.')

/**
 * The items of an answer, and where the next one begins.
 *
 * @param rows up to one more than the limit, from the offset on
 */
export function pageOf<T>(rows: readonly T[], { limit, offset }: Paging) {
  return { data: rows.slice(0, limit), next_offset: rows.length > limit ? offset + limit : null }
}
