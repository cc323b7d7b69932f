import type { Subjects } from '../../model/operation.ts'
import { DEFAULT_SETTINGS } from '../../model/page/index.ts'
import { newId, newSlug } from '../../platform/ids.ts'
import { insertNew } from './create.ts'
import { type PageDeps, passwordOf, sealPassword } from './parts.ts'
import type { Written } from './present.ts'
import { allowedByPlan } from './rules.ts'

/**
 * A new draft with the content of a page's draft and its settings, also who may open it. What
 * people have sent stays with the first page, and what the plan does not have any more is left out.
 */
export async function duplicate(deps: PageDeps, subject: Subjects['owner']): Promise<Written> {
  const { content, views, agreements, clock } = deps
  const { account, context, page } = subject
  const staged = await content.stageStored(page.draft_id)
  await content.putLarge(staged)
  const now = clock.now()
  const id = newId('pg', clock.ms())
  const password = passwordOf(deps, page) ?? undefined
  const given = { ...page.settings, max_views: (await views.limitOf(page.id)) ?? null }
  const { max_views: maxViews, ...settings } = allowedByPlan(account, given, {
    ...DEFAULT_SETTINGS,
    max_views: null,
  })
  const copy = {
    ...page,
    id,
    slug: newSlug(),
    title: null,
    settings: { ...settings, responses_closed_at: null },
    password_sealed: password === undefined ? null : sealPassword(deps, id, password),
    access_epoch: 1,
    source: context.source,
    published_id: null,
    published_at: null,
    taken_down_at: null,
    taken_down_reason: null,
    revision: 1,
    created_at: now,
    updated_at: now,
  }
  return insertNew(deps, {
    request: { account, context: { ...context, idempotency: null } },
    page: copy,
    hasOwnSlug: false,
    derivedTitle: page.title && `${page.title} (copy)`,
    ...{ staged, maxViews, password, warnings: [] },
    agreement: settings.agreement && (await agreements.current(page)),
  })
}
