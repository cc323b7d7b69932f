/** A server that is killed while it imports. */
import { afterAll, expect } from 'bun:test'
import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { newOwner, own } from './gates/setup.ts'
import { html, word } from './material.ts'
import { command, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const PAGES = 150

/** An archive of many pages like one that was exported: with two versions and three comments. */
async function archiveOfMany(): Promise<Buffer> {
  const by = await newOwner()
  const page = await by.publish({ html: html('one'), slug: word('many'), allow_comments: true })
  await by.patch(page.id, { html: html('two') })
  for (const body of ['a', 'b', 'c']) await by.call('POST', `/pages/${page.id}/comments`, { body })
  const headers = { authorization: `Bearer ${by.key}` }
  const answer = await fetch(`${server.url}/api/v1/account/export`, { headers })
  const exported = await fromBufferPromise(Buffer.from(await answer.bytes()))
  const zip = new ZipFile()
  for await (const entry of exported.eachEntry()) {
    const content = await text(await exported.openReadStreamPromise(entry))
    const [folder, , file] = entry.fileName.split('/')
    if (folder !== 'pages') zip.addBuffer(Buffer.from(content), entry.fileName)
    else {
      for (let at = 0; at < PAGES; at++) {
        const own = content
          .replaceAll(page.slug, `many-${at}`)
          .replaceAll(page.id, `${page.id}-${at}`)
        zip.addBuffer(Buffer.from(own), `pages/${String(at).padStart(5, '0')}/${file}`)
      }
    }
  }
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

own(
  'kill -9 in the middle of an import leaves whole pages, and the same import brings the rest',
  async () => {
    const body = (await archiveOfMany()) as unknown as BodyInit
    const env = freshEnvironment()
    const first = await start(env)
    await command(env, 'account', 'add', 'ada@example.com', '--plan', 'pro')
    const made = await command(env, 'key', 'create', 'ada@example.com', '--json')
    const { key } = JSON.parse(made.stdout) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const api = (path: string, more: RequestInit = {}) =>
      fetch(`${env.BASE_URL}/api/v1${path}`, { headers, ...more })
    const listed = async () => {
      const answer = await api('/pages?limit=200')
      return ((await answer.json()) as { data: { id: string }[] }).data
    }
    const importing = api('/account/import', { method: 'POST', body }).catch(() => null)
    while ((await listed()).length === 0) await Bun.sleep(5)
    await first.kill()
    expect(await importing).toBeNull()

    const second = await start(env)
    const kept = await listed()
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(PAGES)
    for (const { id } of kept.slice(-20)) {
      const counts = []
      for (const part of ['comments', 'versions']) {
        const answer = await api(`/pages/${id}/${part}`)
        counts.push(((await answer.json()) as { data: object[] }).data.length)
      }
      expect(counts).toEqual([3, 2])
    }
    const again = await api('/account/import', { method: 'POST', body })
    const { data } = (await again.json()) as { data: { imported: number; skipped: number } }
    expect(data).toMatchObject({
      ...{ imported: PAGES - kept.length, skipped: kept.length, failed: 0 },
    })
    expect(await second.stop()).toBe(0)
  },
  120_000,
)
