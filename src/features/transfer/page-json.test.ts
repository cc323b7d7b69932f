import { describe, expect, it } from 'bun:test'
import type { Threads } from '../../platform/threads.ts'
import { ENGINES, testApp } from '../../testing/app.ts'
import { exported, imported, nameOf, rowsIn } from '../../testing/archives.ts'
import { createThread } from '../../testing/test-comments.ts'
import { threads } from '../../testing/threads.ts'
import { type Archive, BadEntry } from './archive.ts'
import { readPageJson } from './page-json.ts'

const AT = '2026-01-01T00:00:00.000000Z'
const hashOf = (n: number) => n.toString(16).padStart(64, '0')

/** The `page.json` of a page whose versions have so many files each. */
function pageOf(versions: number, files: number) {
  const numbers = Array.from({ length: versions }, (_, n) => n + 1)
  const manifests = numbers.map((n) => [
    hashOf(n),
    {
      ...{ kind: 'bundle', entry: 'index.html', file_name: null },
      files: Array.from({ length: files }, (_, at) => ({
        ...{ path: `f${at}.html`, hash: hashOf(1_000_000 + at), size_bytes: n, mime: 'text/html' },
      })),
    },
  ])
  return {
    ...{ id: 'pg_1', slug: 'large', title: null, settings: {}, password: null, source: 'api' },
    ...{ created_at: AT, updated_at: AT, published_at: null, views: 0, max_views: null },
    ...{ draft: hashOf(1), published: null },
    versions: numbers.map((n) => ({
      ...{ version_no: n, source: 'edit', label: null, manifest_id: hashOf(n) },
      ...{ size_bytes: 1, created_at: AT, via: null, key_name: null },
    })),
    manifests: Object.fromEntries(manifests),
  }
}

/** Reads this as the `page.json` of an archive, and notes the tasks of threads. */
async function read(text: string) {
  const tasks: string[] = []
  const noted: Pick<Threads, 'run'> = {
    run(task, makeInput) {
      tasks.push(task)
      return threads.run(task, makeInput)
    },
  }
  const archive = {
    async read(_name: string, maxBytes: number) {
      if (text.length > maxBytes) throw new BadEntry('It is too large.')
      return Buffer.from(text)
    },
  } as unknown as Archive
  const checked = await readPageJson(noted, archive, 'pages/1/').catch((err: unknown) => err)
  return { checked, tasks }
}

describe('the page.json of an archive', () => {
  it('is checked in a thread where it is large, and says the same as a small one', async () => {
    for (const [versions, tasks] of [
      [1, []],
      [200, ['checkPageJson']],
    ] as const) {
      const page = pageOf(versions, 200)
      const done = await read(JSON.stringify(page))
      expect(done.tasks).toEqual([...tasks])
      expect(done.checked).toEqual({ ...page, origin: null })
    }
  })

  it('is refused where it is no page, or all values', async () => {
    const refused = async (text: string) => {
      const { checked, tasks } = await read(text)
      expect(checked).toBeInstanceOf(BadEntry)
      return [(checked as Error).message, tasks.length]
    }
    const large = { ...pageOf(100, 200), slug: 'No slug' }
    expect(await refused('{')).toEqual(['Its page.json is no JSON.', 0])
    expect(await refused('[]')).toEqual(['Its page.json is not valid at its root.', 0])
    expect(await refused(JSON.stringify(large))).toEqual(['Its page.json is not valid at slug.', 1])
    const members = Array.from({ length: 260_000 }, (_, n) => `"${n}":{}`).join()
    const tooMany = ['Its page.json has too many values.', 1]
    expect(await refused(`{"manifests":{${members}}}`)).toEqual(tooMany)
    expect(await refused('['.repeat(4_000_000))).toEqual(tooMany)
  })
})

for (const engine of ENGINES) {
  describe(`an import on ${engine}`, () => {
    it('takes a page whose page.json is large, and no row that is all values', async () => {
      await using one = await testApp(engine)
      await using two = await testApp(engine)
      const owner = await one.owner()
      const thread = await createThread(one, owner, { slug: 'large', content: { html: '<p>0' } })
      await thread.post('one', 'First')
      const archive = await exported(one, owner)
      const name = nameOf(archive, 'page.json')
      const page = JSON.parse(archive.get(name)!)
      const [version] = page.versions
      const versions = Array.from({ length: 600 }, (_, n) => ({
        ...version,
        ...{ version_no: n + 1, label: `named ${n} ${'x'.repeat(100)}` },
      }))
      archive.set(name, JSON.stringify({ ...page, versions }))
      expect(archive.get(name)!.length).toBeGreaterThan(128 * 1024)
      const target = await two.owner()
      const [done] = await imported(two, target, archive)
      expect(done).toMatchObject({ status: 'imported', slug: 'large' })
      expect(await target.versions(done!.id!)).toHaveLength(600)

      const [comment] = rowsIn(archive, 'comments')
      const dense = { ...comment, extra: Array.from({ length: 6000 }, () => [1]) }
      archive.set(nameOf(archive, 'comments.ndjson'), JSON.stringify(dense))
      const other = await two.owner()
      expect(await imported(two, other, archive)).toMatchObject([
        { status: 'failed', reason: 'One of its comments has too many values.' },
      ])
      expect(await other.ask<unknown[]>('GET', '/pages')).toEqual([])
    }, 60_000)
  })
}
