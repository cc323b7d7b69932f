import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { TestApp } from './app.ts'
import type { Owner } from './people.ts'

export type Row = Record<string, unknown>

export interface ImportedPage {
  from_slug: string
  id: string
  slug: string
  status: string
  reason: string | null
  left_out: string[]
}

/** The export of an account, by the names of its entries. */
export async function exported(app: TestApp, { key }: Owner): Promise<Map<string, string>> {
  const answer = await app.api('/account/export', { headers: { authorization: `Bearer ${key}` } })
  const zip = await fromBufferPromise(Buffer.from(await answer.bytes()))
  const entries = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  }
  return entries
}

/** Imports an archive with these entries. */
export async function imported(
  app: TestApp,
  owner: Owner,
  entries: Map<string, string>,
): Promise<ImportedPage[]> {
  const answer = await sendArchive(app, owner, await zipOf(entries))
  if (answer.status !== 200) throw new Error(await answer.text())
  const { data } = (await answer.json()) as { data: { pages: ImportedPage[] } }
  return data.pages
}

export function sendArchive(app: TestApp, { key }: Owner, zip: Uint8Array): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` }
  return app.api('/account/import', { method: 'POST', headers, body: zip as BodyInit })
}

export async function zipOf(entries: Iterable<[string, string | Uint8Array]>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The rows of one file of the first page that has it. */
export function rowsIn(entries: Map<string, string>, file: string): Row[] {
  const name = [...entries.keys()].find((each) => each.endsWith(`/${file}.ndjson`))
  const lines = name === undefined ? [] : entries.get(name)!.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/** The name of a file of the only page in the archive. */
export function nameOf(entries: Map<string, string>, file: string): string {
  const page = [...entries.keys()].find((each) => each.endsWith('/page.json'))!
  return page.replace('page.json', file)
}
