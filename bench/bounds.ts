/** What people do with as much as limits allow. */
import { writeZip } from '../src/platform/zip.ts'
import type { Disturbance, Scale } from './disturbance.ts'
import { FORM, respondOften } from './figures/responses.ts'
import { ask, openPanel } from './panels.ts'
import { htmlOf, proseOf } from './sample-content.ts'
import { openSeeding } from './seed-activity.ts'
import { type Handbill, newOwner, type Owner } from './servers.ts'
import { read } from './timing.ts'
import { sendArchive } from './transfers.ts'

const INVITED = 500
/** More in a minute than are mailed one by one. */
const RESPONSES = 40
const VOTES = 100_000
const SWEPT_PAGES = 1000
const SWEEP_POLL_MS = 250
const DAY = '2026-01-01T00:00:00.000000Z'

export async function atTheirBounds(handbill: Handbill, scale: Scale): Promise<Disturbance[]> {
  const owner = await newOwner(handbill)
  return [
    ...(await commentsOnLargePages(handbill, owner, scale)),
    ...(await mails(handbill, owner)),
    await voters(handbill, owner),
    await describedPage(handbill),
    await deletion(handbill, owner, scale),
    ...(scale.hasSweep ? [await sweep(handbill)] : []),
  ]
}

async function commentsOnLargePages(
  { url, dataDir }: Handbill,
  owner: Owner,
  { uploadBytes, comments }: Scale,
): Promise<Disturbance[]> {
  const quote = 'the last words of it'
  const html = `${new TextDecoder().decode(proseOf(uploadBytes - 1000))}<p>${quote}`
  const html_upload = await owner.upload(new TextEncoder().encode(html))
  const large = await owner.create({ html_upload, title: 'Long', allow_comments: true })
  const talk = await owner.create({ html: FORM, title: 'Talk', allow_comments: true })
  await owner.call('POST', `/pages/${talk.id}/comments`, { body: 'Words' })
  const seeding = openSeeding(dataDir)
  seeding.copyComment(talk.id, comments)
  seeding.close()
  const size = `${uploadBytes / 1e6} MB`
  return [
    {
      name: `a comment on words of a page of ${size}`,
      run: () =>
        owner.call('POST', `/pages/${large.id}/comments`, {
          body: 'About this',
          anchor: { quote, prefix: '', suffix: '' },
        }),
    },
    {
      name: `a preview of a page of ${size}`,
      async run() {
        const preview = await owner.call<{ url: string }>('POST', `/pages/${large.id}/preview`, {})
        await read(preview.url)
      },
    },
    {
      name: 'a thousand of a page’s comments',
      run: () => owner.call('GET', `/pages/${talk.id}/comments?limit=1000`),
    },
    {
      name: 'the panel that reads them all',
      run: async () => ask(`${url}/~/comments`, await openPanel(`${url}/p/${talk.slug}`), {}),
      // Otherwise the next round finds them in memory.
      undo: () => owner.call('PATCH', `/pages/${talk.id}`, { html: `${FORM}${Math.random()}` }),
    },
  ]
}

async function mails({ url }: Handbill, owner: Owner): Promise<Disturbance[]> {
  const form = await owner.create({ html: FORM, title: 'Answers' })
  const allowed_emails = Array.from({ length: INVITED }, (_, n) => `reader${n}@handbill.example`)
  const invited = await owner.create({
    html: FORM,
    title: 'Invited',
    access: 'people',
    allowed_emails,
  })
  return [
    {
      name: `${RESPONSES} responses at once, whose mails become a digest`,
      run: () => respondOften(`${url}/p/${form.slug}`, RESPONSES, false),
    },
    {
      name: `invitations of ${INVITED} people`,
      run: () => owner.call('POST', `/pages/${invited.id}/invitations`, {}),
    },
  ]
}

async function voters({ dataDir }: Handbill, owner: Owner): Promise<Disturbance> {
  const poll_options = ['One', 'Two']
  const request = { collect_votes: true, poll_question: 'Which?', poll_options }
  const named = { poll_require_email: true, poll_named: true }
  const { id } = await owner.create({ html: FORM, title: 'Poll', ...request, ...named })
  const seeding = openSeeding(dataDir)
  seeding.addVotes(id, poll_options, VOTES)
  seeding.close()
  return {
    name: 'the last of 100,000 voters',
    run: () => owner.call('GET', `/pages/${id}/poll?limit=1000&offset=${VOTES - 1000}`),
  }
}

/** An archive of a page that has a description of 4 MB. Its files are missing. */
async function describedPage(handbill: Handbill): Promise<Disturbance> {
  const archive = await archiveOf({
    'handbill.json': { format: 'handbill-archive-1' },
    'pages/00001-described/page.json': describe(),
  })
  return {
    name: 'an import of a page whose page.json has 4 MB',
    run: () => sendArchive(handbill, archive),
  }
}

function describe() {
  const hashOf = (n: number) => n.toString(16).padStart(64, '0')
  const numbers = Array.from({ length: 110 }, (_, n) => n + 1)
  const manifests = numbers.map((n) => [
    hashOf(n),
    {
      ...{ kind: 'bundle', entry: 'p0', file_name: null },
      files: Array.from({ length: 300 }, (_, at) => ({
        ...{ path: `p${at}`, hash: hashOf(n * 1000 + at), size_bytes: 1, mime: 'text/html' },
      })),
    },
  ])
  return {
    ...{ id: 'pg_1', slug: 'described', title: null, settings: {}, password: null, source: 'api' },
    ...{ created_at: DAY, updated_at: DAY, published_at: null, views: 0, max_views: null },
    ...{ draft: hashOf(1), published: null, manifests: Object.fromEntries(manifests) },
    versions: numbers.map((n) => ({
      ...{ version_no: n, source: 'edit', label: null, manifest_id: hashOf(n) },
      ...{ size_bytes: 300, created_at: DAY },
    })),
  }
}

async function archiveOf(entries: Record<string, object>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = writeZip(async (zip) => {
    for (const [name, value] of Object.entries(entries)) {
      zip.add(name, Buffer.from(JSON.stringify(value)))
    }
  })
  return Uint8Array.from(Buffer.concat(await Array.fromAsync(chunks)))
}

/** Each round deletes a page that has everything. */
async function deletion(
  { url, dataDir }: Handbill,
  owner: Owner,
  { responses, comments }: Scale,
): Promise<Disturbance> {
  let id = ''
  async function make(): Promise<void> {
    const page = await owner.create({ html: FORM, title: 'Full', allow_comments: true })
    id = page.id
    await respondOften(`${url}/p/${page.slug}`, 1, false)
    await owner.call('POST', `/pages/${id}/comments`, { body: 'Words' })
    const seeding = openSeeding(dataDir)
    seeding.viewOften(id)
    seeding.copyResponse(id, responses)
    seeding.copyComment(id, comments)
    seeding.addVotes(id, ['One'], VOTES)
    seeding.close()
  }
  await make()
  return {
    name: 'a delete of a page with responses, comments, views and 100,000 votes',
    run: () => owner.call('DELETE', `/pages/${id}`),
    undo: make,
  }
}

/** Each round deletes what an hour ago was left of deleted pages. The server does within a minute. */
async function sweep(handbill: Handbill): Promise<Disturbance> {
  const owner = await newOwner(handbill)
  async function leave(): Promise<void> {
    const ids: string[] = []
    for (let n = 0; n < SWEPT_PAGES; n++) {
      const html = new TextDecoder().decode(htmlOf(4096, `Swept ${crypto.randomUUID()}`))
      ids.push((await owner.create({ html })).id)
    }
    for (const id of ids) await owner.call('DELETE', `/pages/${id}`)
    const seeding = openSeeding(handbill.dataDir)
    seeding.ageUnreferenced()
    seeding.close()
  }
  await leave()
  return {
    name: `the sweep of ${SWEPT_PAGES.toLocaleString('en')} deleted pages`,
    async run() {
      for (let left = 1; left > 0; await Bun.sleep(SWEEP_POLL_MS)) {
        const seeding = openSeeding(handbill.dataDir)
        left = seeding.countAged()
        seeding.close()
      }
    },
    undo: leave,
  }
}
