/** Actions of other users while a page is viewed. Each is the same in every round. */
import { atTheirBounds } from './bounds.ts'
import type { Disturbance, Scale } from './disturbance.ts'
import { FORM, respondOften } from './figures/responses.ts'
import { largeFiles } from './large-files.ts'
import { htmlOf, pdfOf, proseOf } from './sample-content.ts'
import type { Seeded } from './seed.ts'
import { openSeeding } from './seed-activity.ts'
import { type Handbill, newOwner, type Owner, ownerOf } from './servers.ts'
import { download, transfersOf } from './transfers.ts'

const INLINE_BYTES = 3_400_000
const DECK_FILES = 60
const DECK_FILE_BYTES = 60_000
const SMALL_PAGES = 100

/** Makes the data that the disturbances need. @returns them, and a page to view meanwhile */
export async function prepareDisturbances(handbill: Handbill, seeded: Seeded, scale: Scale) {
  const { url } = handbill
  const many = ownerOf(url, seeded.key)
  const owner = await newOwner(handbill)
  const viewed = await owner.create({ html: new TextDecoder().decode(htmlOf(10_000)) })
  const form = await owner.create({ html: FORM, title: 'Form' })
  await respondOften(`${url}/p/${form.slug}`, 1, false)
  const discussed = await owner.create({ html: FORM, title: 'Discussed', allow_comments: true })
  await owner.call('POST', `/pages/${discussed.id}/comments`, { body: 'Words' })
  for (let n = 0; n < SMALL_PAGES; n++) {
    await owner.create({ html: new TextDecoder().decode(htmlOf(20_000, `Small ${n}`)) })
  }
  const busy = seeded.sample[0]!
  const seeding = openSeeding(handbill.dataDir)
  seeding.viewAll(busy.id)
  seeding.viewOften(busy.id)
  seeding.copyResponse(form.id, scale.responses)
  seeding.copyComment(discussed.id, scale.comments)
  seeding.close()
  return {
    viewedUrl: `${url}/p/${viewed.slug}`,
    disturbances: [
      ...readsOfMany(many, busy.id),
      ...(await writes(owner, scale)),
      ...conversations(owner, form.id, discussed.id),
      ...transfersOf(handbill, owner, 'all of that'),
      ...(await largeFiles(handbill, scale.uploadBytes)),
      ...(await atTheirBounds(handbill, scale)),
    ],
  }
}

function readsOfMany({ call }: Owner, busyId: string): Disturbance[] {
  const list = '/pages?limit=200'
  const get = (name: string, path: string) => ({ name, run: () => call('GET', path) })
  const atOnce = (name: string, path: string, count = 8) => ({
    name,
    run: () => Promise.all(Array.from({ length: count }, () => call('GET', path))),
  })
  return [
    get('a list of 200 of 10,000 pages', list),
    get('the same from offset 9,000', `${list}&offset=9000`),
    get('those that have two words', `${list}&search=original+9`),
    atOnce('eight such searches at once', `${list}&search=original+9`),
    atOnce('thirty-two such searches at once', `${list}&search=original+9`, 32),
    get('those that are live', `${list}&state=live`),
    get('those with the most views', `${list}&sort=views`),
    atOnce('eight such lists at once', list),
    get('the views of each of them in two weeks', '/analytics?only=views&group=page&days=14'),
    get('their analytics', '/analytics'),
    get('the account that has them', '/account'),
    get('analytics of a page viewed in every hour of a year', `/pages/${busyId}/analytics`),
  ]
}

async function writes(owner: Owner, { uploadBytes }: Scale): Promise<Disturbance[]> {
  const made: string[] = []
  const create = async (fields: object) => void made.push((await owner.create(fields)).id)
  const undo = async () => {
    for (const id of made.splice(0)) await owner.call('DELETE', `/pages/${id}`)
  }
  const prose = new TextDecoder().decode(proseOf(INLINE_BYTES))
  const files = deckOf(DECK_FILES)
  const { id: proseId } = await owner.create({ html: prose, title: 'Large' })
  const upload = pdfOf(uploadBytes)
  return [
    { name: 'a page of 3.4 MB in the body', run: () => create({ html: prose }), undo },
    {
      name: 'the same by MCP',
      run: async () => {
        const { data } = await callTool<{ data: { id: string } }>(owner, 'publish_page', {
          html: prose,
        })
        made.push(data.id)
      },
      undo,
    },
    { name: 'a read of it', run: () => owner.call('GET', `/pages/${proseId}/html`) },
    {
      name: 'a read of it by MCP',
      run: () => callTool(owner, 'get_page_html', { page_id: proseId }),
    },
    { name: 'a deck of 60 files of 60 KB in the body', run: () => create({ files }), undo },
    { name: `an upload of ${uploadBytes / 1e6} MB`, run: () => owner.upload(upload) },
  ]
}

function deckOf(count: number) {
  const html = new TextDecoder().decode(proseOf(DECK_FILE_BYTES))
  return Array.from({ length: count }, (_, n) => ({
    path: n === 0 ? 'index.html' : `page-${n}.html`,
    html: html.replace('Prose', `Prose ${n}`),
  }))
}

async function callTool<T>({ url, key }: Owner, name: string, options: object): Promise<T> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: options },
    }),
  })
  const text = await answer.text()
  const { result } = JSON.parse(text) as { result?: { content: { text: string }[] } }
  const json = result?.content.find((each) => each.text.startsWith('{'))
  if (json !== undefined) return JSON.parse(json.text) as T
  throw new Error(`${name}: ${text.slice(0, 300)}`)
}

function conversations(owner: Owner, formId: string, discussedId: string): Disturbance[] {
  const path = `/pages/${formId}/responses`
  return [
    { name: 'the report of a page’s responses', run: () => owner.call('GET', path) },
    {
      name: 'eight such reports at once',
      run: () => Promise.all(Array.from({ length: 8 }, () => owner.call('GET', path))),
    },
    { name: 'CSV of them', run: () => download(owner, `${path}?format=csv`) },
    { name: 'a page’s comments', run: () => owner.call('GET', `/pages/${discussedId}/comments`) },
  ]
}
