import { expect } from 'bun:test'
import type { TestApp } from './app.ts'
import type { Owner, Version } from './people.ts'
import { fc } from './property.ts'

/** A model of one page, which the service must agree with after every command. */
interface Model {
  /** Null before it is created and after it is deleted. */
  page: ModelPage | null
}
interface ModelPage {
  draft: string
  published: string | null
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
type PageCommand = fc.AsyncCommand<Model, Real>

/** Few texts, so that content often becomes what it was before. */
const text = fc.constantFrom('<p>one', '<p>two', '<p>three')
const flag = fc.boolean()
const nth = fc.nat({ max: 99 })

const creation = fc.tuple(text, flag).map(([html, publish]) => create(html, publish))
const commands = fc.commands<Model, Real, false>(
  [
    creation,
    text.map(replace),
    fc.tuple(text, flag).map(([html, publish]) => edit(html, publish)),
    fc.constant(publish()),
    fc.constant(unpublish()),
    fc.tuple(nth, flag).map(([at, publish]) => restore(at, publish)),
    fc.tuple(nth, fc.constantFrom('A', 'B', null)).map(([at, label]) => nameVersion(at, label)),
    fc
      .tuple(flag, fc.constantFrom('Words', null))
      .map(([isPrivate, og]) => changeSettings(isPrivate, og)),
    fc.constantFrom(null, 1, 2, 5).map(limitViews),
    fc.constant(open()),
    fc.constant(open()),
    fc.constant(deletePage()),
  ],
  { maxCommands: 16, size: 'max' },
)

/** A page's creation, and commands in any order. */
export const pageHistories = fc.tuple(creation, commands)

export async function runHistory(
  app: TestApp,
  owner: Owner,
  [first, rest]: [PageCommand, Iterable<PageCommand>],
): Promise<void> {
  const setup = () => ({ model: { page: null }, real: { app, owner, id: '', slug: '' } })
  await fc.asyncModelRun(setup, [first, ...rest])
}

/** A command on a page that exists, after which service and model must agree. */
function commandOf(
  description: string,
  run: (page: ModelPage, real: Real) => Promise<unknown>,
): PageCommand {
  return {
    check: ({ page }) => page !== null,
    async run(model, real) {
      await run(model.page!, real)
      await expectAsModelled(model.page!, real)
    },
    toString: () => description,
  }
}

function create(html: string, publish: boolean): PageCommand {
  return {
    check: ({ page }) => page === null,
    async run(model, real) {
      const { id, slug } = await real.owner.publish(html, { publish })
      Object.assign(real, { id, slug })
      const source = publish ? 'publish' : 'edit'
      model.page = {
        ...{ draft: html, published: publish ? html : null, isPrivate: false, og_title: null },
        ...{ versions: [{ source, html, label: null }], views: 0, max_views: null },
      }
      await expectAsModelled(model.page, real)
    },
    toString: () => `create ${html} ${publish}`,
  }
}

function replace(html: string): PageCommand {
  return commandOf(`replace by ${html}`, async (page, { owner, id }) => {
    await owner.update(id, { html })
    saveVersion(page, html, 'edit')
  })
}

function edit(html: string, publish: boolean): PageCommand {
  return commandOf(`edit to ${html} ${publish}`, async (page, { owner, id }) => {
    const before = page.versions.length
    const { edits } = await owner.edit(id, page.draft, html, { publish })
    saveVersion(page, html, publish ? 'publish' : 'edit')
    if (publish) page.published = html
    expect(edits).toMatchObject({ previous_version: before, version: page.versions.length })
  })
}

function publish(): PageCommand {
  return commandOf('publish', async (page, { owner, id }) => {
    await owner.ask('POST', `/pages/${id}/publish`)
    saveVersion(page, page.draft, 'publish')
    page.published = page.draft
  })
}

function unpublish(): PageCommand {
  return commandOf('unpublish', async (page, { owner, id }) => {
    const result = await owner.ask<object>('DELETE', `/pages/${id}/publish`)
    expect(result).toEqual({ is_published: false })
    page.published = null
  })
}

function restore(at: number, publish: boolean): PageCommand {
  return commandOf(`restore ${at} ${publish}`, async (page, { owner, id }) => {
    const index = at % page.versions.length
    const { html } = page.versions[index]!
    await owner.ask('POST', `/pages/${id}/versions/${index + 1}/restore`, { publish })
    page.versions.push({ source: 'restore', html, label: null })
    page.draft = html
    if (publish) page.published = html
  })
}

function nameVersion(at: number, label: string | null): PageCommand {
  return commandOf(`name ${at} ${label}`, async (page, { owner, id }) => {
    const index = at % page.versions.length
    await owner.ask('PATCH', `/pages/${id}/versions/${index + 1}`, { label })
    page.versions[index]!.label = label
  })
}

function changeSettings(isPrivate: boolean, ogTitle: string | null): PageCommand {
  return commandOf(`settings ${isPrivate} ${ogTitle}`, async (page, { owner, id }) => {
    await owner.update(id, { access: isPrivate ? 'private' : 'link', og_title: ogTitle })
    Object.assign(page, { isPrivate, og_title: ogTitle })
  })
}

function limitViews(maxViews: number | null): PageCommand {
  return commandOf(`limit ${maxViews}`, async (page, { owner, id }) => {
    await owner.update(id, { max_views: maxViews })
    page.max_views = maxViews
  })
}

function open(): PageCommand {
  return commandOf('open', async (page, { app, slug }) => {
    const answer = await app.open(`/p/${slug}`)
    const text = await answer.text()
    const status = statusOf(page)
    expect(answer.status).toBe(status)
    for (const { html } of page.versions) {
      expect(text.includes(html)).toBe(status === 200 && html === page.published)
    }
    if (status === 200) page.views += 1
  })
}

function deletePage(): PageCommand {
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

/** Equal content adds no version; publishing it turns an edit's version into a published one. */
function saveVersion(page: ModelPage, html: string, source: 'publish' | 'edit'): void {
  const newest = page.versions.at(-1)!
  page.draft = html
  if (newest.html !== html) page.versions.push({ source, html, label: null })
  else if (source === 'publish' && newest.source === 'edit') newest.source = 'publish'
}

function statusOf({ published, isPrivate, views, max_views: maxViews }: ModelPage): number {
  if (published === null) return 404
  if (maxViews !== null && views >= maxViews) return 410
  return isPrivate ? 403 : 200
}

async function expectAsModelled(page: ModelPage, { owner, id }: Real): Promise<void> {
  const {
    draft,
    published,
    versions,
    isPrivate,
    og_title: ogTitle,
    views,
    max_views: maxViews,
  } = page
  expect(await owner.page(id)).toMatchObject({
    is_published: published !== null,
    has_unpublished_changes: draft !== published,
    access: isPrivate ? 'private' : 'link',
    ...{ og_title: ogTitle, views, max_views: maxViews },
  })
  expect(await owner.html(id)).toBe(draft)
  const expected = versions.map(({ source, html, label }, at) => ({
    ...{ version_no: at + 1, source, label, size_bytes: html.length },
  }))
  expect(await owner.versions(id)).toMatchObject(expected.reverse())
}
