/** What changed between the draft and the published page, or between two versions. */
import { expect, test } from 'bun:test'
import { dataOf, other, pro } from './client.ts'
import { expectBadParam, expectRefusal } from './expect.ts'
import { html } from './material.ts'

interface Changes {
  readonly from_version_no: number
  readonly to_version_no: number
  readonly passages: number
  readonly files: { path: string; state: string; lines: { kind: string; text: string }[] | null }[]
  readonly is_cut: boolean
}

async function changesOf(id: string, query = ''): Promise<Changes> {
  return dataOf<Changes>(await pro.call('GET', `/pages/${id}/changes${query}`))
}

test('GET changes answers how the text of the draft differs from what visitors see', async () => {
  const page = await pro.publish({ html: html('before') })
  expect(await changesOf(page.id)).toMatchObject({ passages: 0, files: [], is_cut: false })
  await pro.update(page.id, { html: html('after &lt;b&gt;') })
  const changes = await changesOf(page.id)
  expect(changes).toMatchObject({ from_version_no: 1, to_version_no: 2, passages: 1 })
  const lines = changes.files[0]!.lines!.filter(({ kind }) => kind !== 'same' && kind !== 'gap')
  expect(lines).toEqual([
    { kind: 'removed', text: 'before' },
    { kind: 'added', text: 'after <b>' },
  ])
  const counted = await changesOf(page.id, '?lines=false')
  expect(counted).toMatchObject({ passages: 1, files: [{ lines: null }] })
  await pro.goLive(page.id)
  expect((await changesOf(page.id)).passages).toBe(0)
  expect(await changesOf(page.id, '?from=2&to=1')).toMatchObject({ passages: 1 })
})

test('changes of a deck name the files that came, went and changed', async () => {
  const files = (...all: [path: string, text: string][]) =>
    all.map(([path, text]) => ({ path, html: `<p>${text}` }))
  const page = await pro.publish({ files: files(['index.html', 'a'], ['old.html', 'b']) })
  await pro.update(page.id, { files: files(['index.html', 'c'], ['new.html', 'd']) })
  const changes = await changesOf(page.id)
  expect(changes.passages).toBe(3)
  expect(changes.files.map(({ path, state }) => `${state} ${path}`).sort()).toEqual([
    'added new.html',
    'changed index.html',
    'removed old.html',
  ])
})

test('changes need two versions, of a page of the account', async () => {
  const draft = await pro.publish({ html: html('x'), publish: false })
  const path = `/pages/${draft.id}/changes`
  expectRefusal(await pro.call('GET', path), 409, 'nothing_published')
  expectRefusal(await pro.call('GET', `${path}?from=9`), 404, 'version_not_found')
  expectRefusal(await other.call('GET', `${path}?from=1`), 404, 'page_not_found')
  expectBadParam(await pro.call('GET', `${path}?from=one`), 'from')
})
