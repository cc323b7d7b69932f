import { CompiledQuery } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'

/** What an owner may be mailed each of. */
export type Happening = 'views' | 'responses'

const ADD: Record<Happening, string> = {
  views: `
    INSERT INTO view_notices (page_id, minute, views) VALUES ($1, $2, $3)
    ON CONFLICT (page_id, minute) DO UPDATE SET views = view_notices.views + excluded.views
    RETURNING views AS noted`,
  responses: `
    INSERT INTO response_notices (page_id, minute, responses) VALUES ($1, $2, $3)
    ON CONFLICT (page_id, minute)
      DO UPDATE SET responses = response_notices.responses + excluded.responses
    RETURNING responses AS noted`,
}

/** @returns how many of them the page has had in this minute, these included */
export async function add(
  tx: Tx,
  happening: Happening,
  of: { page_id: string; minute: number; count: number },
): Promise<number> {
  const query = CompiledQuery.raw(ADD[happening], [of.page_id, of.minute, of.count])
  const { rows } = await tx.executeQuery<{ noted: number }>(query as CompiledQuery<never>)
  return rows[0]!.noted
}

export async function deleteBefore(tx: Tx, minute: number): Promise<void> {
  await tx.deleteFrom('view_notices').where('minute', '<', minute).execute()
  await tx.deleteFrom('response_notices').where('minute', '<', minute).execute()
}
