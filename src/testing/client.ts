import { ApiError, createClient, paginate } from '../client/index.ts'

/**
 * Uses the client against a real server. The tests run it in Bun, and bundled in Node.js and in a
 * browser, where the result must be the same.
 */
export async function runScenario({ baseUrl, key }: { baseUrl: string; key: string }) {
  const client = createClient({ baseUrl, key, source: 'editor' })
  const { data: page } = await client.createPage({ html: '<title>Plan</title><p>one' })
  await client.updatePage({ id: page.id, html: '<title>Plan</title><p>two', max_views: 9 })
  const edited = await client.editHtml({ id: page.id, edits: [{ find: 'two', replace: 'three' }] })
  const live = await client.publishPage({ id: page.id })
  const read = await client.readHtml({ id: page.id, full: true })

  const bytes = new TextEncoder().encode(`<title>Large</title>${'x'.repeat(5_000_000)}`)
  const progress: number[] = []
  const blob = new Blob([bytes])
  const upload = await client.createUpload(blob, { onProgress: (sent) => void progress.push(sent) })
  const streamed = await client.createUpload(blob.stream())
  const { data: large } = await client.createPage({ html_upload: upload.data.id, publish: false })

  const titles: (string | null)[] = []
  for await (const { data } of paginate(client.listPages, { limit: 1 })) {
    titles.push(...data.map(({ title }) => title))
  }
  await client.deletePage({ id: large.id })
  const deleted = await client.getPage({ id: large.id }).catch((err: unknown) => err)
  return {
    source: page.source,
    max_views: edited.data.max_views,
    changed: edited.edits.changes.map(({ before, after }) => `${before} ${after}`),
    live: live.data.is_published && !live.data.has_unpublished_changes,
    html: read.data.kind === 'single' ? read.data.html : null,
    uploaded: [upload.data.size_bytes, streamed.data.size_bytes],
    same: upload.data.sha256 === streamed.data.sha256,
    progress: {
      last: progress.at(-1),
      rises: progress.every((sent, i) => sent > (progress[i - 1] ?? 0)),
    },
    titles: titles.sort(),
    isDraft: !large.is_published,
    deleted: deleted instanceof ApiError && { status: deleted.status, code: deleted.code },
  }
}

/** The result of `runScenario` in every environment. */
export const EXPECTED_RESULT: Awaited<ReturnType<typeof runScenario>> = {
  source: 'editor',
  max_views: 9,
  changed: ['two three'],
  live: true,
  html: '<title>Plan</title><p>three',
  uploaded: [5_000_020, 5_000_020],
  same: true,
  progress: { last: 5_000_020, rises: true },
  titles: ['Large', 'Plan'],
  isDraft: true,
  deleted: { status: 404, code: 'page_not_found' },
}

if (import.meta.main) {
  const [baseUrl = '', key = ''] = process.argv.slice(2)
  console.log(JSON.stringify(await runScenario({ baseUrl, key })))
}
