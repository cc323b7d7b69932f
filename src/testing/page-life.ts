import { expect } from 'bun:test'
import type { TestApp } from './app.ts'
import type { Owner, Version } from './people.ts'
import { fc } from './property.ts'

/** What a page is, in the fewest words: the product behaves as this does. */
interface Model {
  /** Null before it is created and after it is deleted. */
  page: ModelPage | null
}
interface ModelPage {
  draft: string
  live: string | null
  /** The oldest first: the newest is the draft. */
  versions: { source: Version['source']; html: string; label: string | null }[]
  isPrivate: boolean
  og_title: string | null
  views: number
  max_views: number | null
}
interface Real {
  app: TestApp
  owner: Owner
  id: string
  slug: string
}
type Life = fc.AsyncCommand<Model, Real>

/** Few texts, so that content comes back to what it was before. */
const text = fc.constantFrom('<p>one', '<p>two', '<p>three')
const flag = fc.boolean()
const nth = fc.nat({ max: 99 })

const creation = fc.tuple(text, flag).map(([html, publish]) => create(html, publish))
/** What can happen to a page, in any order. */
const events = fc.commands<Model, Real, false>(
  [
    creation,
    text.map(replace),
    fc.tuple(text, flag).map(([html, publish]) => edit(html, publish)),
    fc.constant(publishing()),
    fc.constant(unpublishing()),
    fc.tuple(nth, flag).map(([at, publish]) => restore(at, publish)),
    fc.tuple(nth, fc.constantFrom('A', 'B', null)).map(([at, label]) => name(at, label)),
    fc.tuple(flag, fc.constantFrom('Words', null)).map(([shut, og]) => settings(shut, og)),
    fc.constantFrom(null, 1, 2, 5).map(limit),
    fc.constant(opening()),
    fc.constant(opening()),
    fc.constant(deletion()),
  ],
  { maxCommands: 16, size: 'max' },
)

export const lives = fc.tuple(creation, events)

export async function live(
  app: TestApp,
  owner: Owner,
  [first, events]: [Life, Iterable<Life>],
): Promise<void> {
  const setup = () => ({ model: { page: null }, real: { app, owner, id: '', slug: '' } })
  await fc.asyncModelRun(setup, [first, ...events])
}

/** A step of a page that is there, after which the product must be what the model is. */
function step(words: string, act: (page: ModelPage, real: Real) => Promise<unknown>): Life {
  return {
    check: ({ page }) => page !== null,
    async run(model, real) {
      await act(model.page!, real)
      await expectSame(model.page!, real)
    },
    toString: () => words,
  }
}

function create(html: string, publish: boolean): Life {
  return {
    check: ({ page }) => page === null,
    async run(model, real) {
      const { id, slug } = await real.owner.publish(html, { publish })
      Object.assign(real, { id, slug })
      const source = publish ? 'publish' : 'edit'
      model.page = {
        ...{ draft: html, live: publish ? html : null, isPrivate: false, og_title: null },
        ...{ versions: [{ source, html, label: null }], views: 0, max_views: null },
      }
      await expectSame(model.page, real)
    },
    toString: () => `create ${html} ${publish}`,
  }
}

function replace(html: string): Life {
  return step(`replace by ${html}`, async (page, { owner, id }) => {
    await owner.update(id, { html })
    save(page, html, 'edit')
  })
}

function edit(html: string, publish: boolean): Life {
  return step(`edit to ${html} ${publish}`, async (page, { owner, id }) => {
    const before = page.versions.length
    const { edits } = await owner.edit(id, page.draft, html, { publish })
    save(page, html, publish ? 'publish' : 'edit')
    if (publish) page.live = html
    expect(edits).toMatchObject({ previous_version: before, version: page.versions.length })
  })
}

function publishing(): Life {
  return step('publish', async (page, { owner, id }) => {
    await owner.ask('POST', `/pages/${id}/publish`)
    save(page, page.draft, 'publish')
    page.live = page.draft
  })
}

function unpublishing(): Life {
  return step('unpublish', async (page, { owner, id }) => {
    const said = await owner.ask<object>('DELETE', `/pages/${id}/publish`)
    expect(said).toEqual({ is_published: false })
    page.live = null
  })
}

function restore(at: number, publish: boolean): Life {
  return step(`restore ${at} ${publish}`, async (page, { owner, id }) => {
    const index = at % page.versions.length
    const { html } = page.versions[index]!
    await owner.ask('POST', `/pages/${id}/versions/${index + 1}/restore`, { publish })
    page.versions.push({ source: 'restore', html, label: null })
    page.draft = html
    if (publish) page.live = html
  })
}

function name(at: number, label: string | null): Life {
  return step(`name ${at} ${label}`, async (page, { owner, id }) => {
    const index = at % page.versions.length
    await owner.ask('PATCH', `/pages/${id}/versions/${index + 1}`, { label })
    page.versions[index]!.label = label
  })
}

function settings(isPrivate: boolean, ogTitle: string | null): Life {
  return step(`settings ${isPrivate} ${ogTitle}`, async (page, { owner, id }) => {
    await owner.update(id, { access: isPrivate ? 'private' : 'link', og_title: ogTitle })
    Object.assign(page, { isPrivate, og_title: ogTitle })
  })
}

function limit(maxViews: number | null): Life {
  return step(`limit ${maxViews}`, async (page, { owner, id }) => {
    await owner.update(id, { max_views: maxViews })
    page.max_views = maxViews
  })
}

function opening(): Life {
  return step('open', async (page, { app, slug }) => {
    const answer = await app.open(`/p/${slug}`)
    const text = await answer.text()
    const status = statusOf(page)
    expect(answer.status).toBe(status)
    for (const { html } of page.versions) {
      expect(text.includes(html)).toBe(status === 200 && html === page.live)
    }
    if (status === 200) page.views += 1
  })
}

function deletion(): Life {
  return {
    check: ({ page }) => page !== null,
    async run(model, { app, owner, id, slug }) {
      expect((await owner.call('DELETE', `/pages/${id}`)).status).toBe(204)
      model.page = null
      expect((await owner.call('GET', `/pages/${id}`)).status).toBe(404)
      expect((await app.open(`/p/${slug}`)).status).toBe(404)
    },
    toString: () => 'delete',
  }
}

/** Content that the newest version holds is not saved again; a publish marks an edit. */
function save(page: ModelPage, html: string, source: 'publish' | 'edit'): void {
  const newest = page.versions.at(-1)!
  page.draft = html
  if (newest.html !== html) page.versions.push({ source, html, label: null })
  else if (source === 'publish' && newest.source === 'edit') newest.source = 'publish'
}

function statusOf({ live, isPrivate, views, max_views: maxViews }: ModelPage): number {
  if (live === null) return 404
  if (maxViews !== null && views >= maxViews) return 410
  return isPrivate ? 403 : 200
}

async function expectSame(page: ModelPage, { owner, id }: Real): Promise<void> {
  const { draft, live, versions, isPrivate, og_title: ogTitle, views, max_views: maxViews } = page
  expect(await owner.page(id)).toMatchObject({
    is_published: live !== null,
    has_unpublished_changes: draft !== live,
    access: isPrivate ? 'private' : 'link',
    ...{ og_title: ogTitle, views, max_views: maxViews },
  })
  expect(await owner.html(id)).toBe(draft)
  const expected = versions.map(({ source, html, label }, at) => ({
    ...{ version_no: at + 1, source, label, size_bytes: html.length },
  }))
  expect(await owner.versions(id)).toMatchObject(expected.reverse())
}
