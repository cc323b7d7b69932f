import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Views } from '../../../features/views/index.ts'

/** Whether the views of a page have reached its limit, or the page was deleted. */
export async function isLimitReached(
  views: Pick<Views, 'countersOf'>,
  { page: { id } }: PublishedPage,
): Promise<boolean> {
  const counter = (await views.countersOf([id])).get(id)
  return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
}
