import { expect } from 'bun:test'
import { type Answer, dataOf, type Owner, type Page, visitor } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html, word } from './material.ts'

export const mb = (count: number) => [count * 1_000_000, count * 1024 * 1024] as const

/** The cap in bytes that a refusal names. */
export function namedLimit(answer: Answer): number | undefined {
  const { limit } = expectRefusal(answer, 413) as { limit?: unknown }
  return typeof limit === 'number' ? limit : undefined
}

/** Uploads content and creates a page of it. @returns the first refusal, else the response */
export async function publishUpload(
  owner: Owner,
  bytes: Uint8Array | string,
  fields: (id: string) => Record<string, unknown>,
): Promise<Answer> {
  const uploaded = await owner.sendUpload(new Blob([bytes as BlobPart]), {
    'content-type': 'application/octet-stream',
  })
  if (uploaded.status >= 400) return uploaded
  return owner.create(fields((uploaded.json as { data: { id: string } }).data.id))
}

/** Expects success at the cap and 413 above it. A MB may be 1,000,000 or 1,048,576 bytes. */
export async function expectCap(
  owner: Owner,
  capMb: number,
  make: (sizeBytes: number) => Uint8Array | string,
  fields: (id: string) => Record<string, unknown>,
): Promise<void> {
  const [small, large] = mb(capMb)
  const refused = await publishUpload(owner, make(large + 1), fields)
  const limit = namedLimit(refused) ?? small
  expect([small, large]).toContain(limit)
  const taken = await publishUpload(owner, make(limit), fields)
  const page = dataOf<Page>(taken, 201)
  expect((await visitor.open(page.slug)).bytes.length).toBe(limit)
  await owner.remove(page.id)
  if (namedLimit(refused) === undefined) return
  expectRefusal(await publishUpload(owner, make(limit + 1), fields), 413)
}

export const asHtml = (htmlUpload: string) => ({ html_upload: htmlUpload })
export const asPdf = (fileUpload: string) => ({
  file_upload: fileUpload,
  filename: `${word('big')}.pdf`,
})

export const indexFile = { path: 'index.html', html: html('x') }
export const css = (sizeBytes: number) => `/*${'x'.repeat(sizeBytes - 4)}*/`
