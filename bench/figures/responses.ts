import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Figure } from '../figure.ts'
import type { Row } from '../report.ts'
import { type Handbill, newOwner, type Owner, residentMB, startHandbill } from '../servers.ts'
import { inMs, perSecond, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { read, timed } from '../timing.ts'
import { wrk } from '../wrk.ts'

const IN_FLIGHT = 32
const RESPONSES = 10_000
const FIELDS = 20
const ITEMS = 5
const SAMPLES = 20
export const FORM = `<!doctype html><title>Form</title><form data-service>${inputs()}</form>`

/** (i) Responses: submitting, reading after a change, exporting; and views of such a page. */
export const responses: Figure = {
  letter: 'i',
  about: '10,000 responses of 20 fields: submits, reads, CSV, and views of a page that has them',
  async measure(bench) {
    await using handbill = await startHandbill(bench.folder('responses'))
    const owner = await newOwner(handbill)
    return [
      await submits(bench, handbill, owner),
      ...(await reads(bench, handbill, owner)),
      await views(bench, handbill, owner),
    ]
  },
}

function inputs(): string {
  return Array.from({ length: FIELDS }, (_, n) => `<input name="field${n}">`).join('')
}

async function submits(bench: Bench, handbill: Handbill, owner: Owner): Promise<Row> {
  bench.log(`submits, ${IN_FLIGHT} in flight`)
  const { slug } = await owner.create({ html: FORM })
  const url = `${handbill.url}/p/${slug}`
  const viewers = await Promise.all(Array.from({ length: 2000 }, () => open(url)))
  const file = join(bench.folder('submits'), 'viewers')
  writeFileSync(file, viewers.map(({ token, stamp }) => `${token} ${stamp}\n`).join(''))
  const rates: number[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    const { refused, perSecond } = await wrk({
      url: `${handbill.url}/~/responses`,
      connections: IN_FLIGHT,
      seconds: bench.seconds,
      script: 'submits.lua',
      args: [file, `round${round}`],
    })
    if (refused > 0) throw new Error(`${refused} submits were refused`)
    rates.push(perSecond)
  }
  const rate = spreadOf(rates.slice(1))
  return {
    figure: `(i) submits, each durable, ${IN_FLIGHT} in flight`,
    ours: shown(rate, perSecond),
    peer: 'none',
    value: perSecond(rate.median),
    goal: '≥ 5,000/s',
    met: rate.median >= 5000,
  }
}

/** Every measured read follows a change, so that nothing of the last result can be reused. */
async function reads(bench: Bench, handbill: Handbill, owner: Owner): Promise<Row[]> {
  const headers = { authorization: `Bearer ${owner.key}` }
  const rows: Row[] = []
  for (const hasItems of [false, true]) {
    const { id, slug } = await owner.create({ html: FORM, title: `Read ${hasItems}` })
    const pageUrl = `${handbill.url}/p/${slug}`
    bench.log(`${RESPONSES.toLocaleString('en')} responses${hasItems ? ' with lists' : ''}`)
    await respondOften(pageUrl, RESPONSES - 1, hasItems)
    const changing = await open(pageUrl)
    const url = `${handbill.url}/api/v1/pages/${id}/responses`
    const changed: number[] = []
    const unchanged: number[] = []
    for (let sample = 0; sample < SAMPLES; sample++) {
      await send(pageUrl, changing, dataOf(sample, hasItems))
      changed.push(await timed(() => read(url, headers)))
      unchanged.push(await timed(() => read(url, headers)))
    }
    const goalMs = hasItems ? 200 : 60
    const spread = spreadOf(changed)
    rows.push({
      figure: `    GET /responses after a change${hasItems ? `, ${ITEMS} items each split` : ''}`,
      ours: shown(spread, inMs),
      peer: `unchanged: ${shown(spreadOf(unchanged), inMs)}`,
      value: inMs(spread.median),
      goal: `< ${goalMs} ms`,
      met: spread.median < goalMs,
    })
    if (!hasItems) rows.push(await csv(handbill, `${url}?format=csv`, headers))
  }
  return rows
}

async function csv(handbill: Handbill, url: string, headers: Record<string, string>): Promise<Row> {
  const firsts: number[] = []
  const before = residentMB(handbill.pid)
  for (let sample = 0; sample < SAMPLES; sample++) {
    const began = performance.now()
    const answer = await fetch(url, { headers })
    const reader = answer.body!.getReader()
    await reader.read()
    firsts.push(performance.now() - began)
    while (!(await reader.read()).done);
  }
  const spread = spreadOf(firsts)
  const grown = residentMB(handbill.pid) - before
  return {
    figure: `    CSV of them: first byte (memory +${Math.round(grown)} MB over ${SAMPLES} files)`,
    ours: shown(spread, inMs),
    peer: 'none',
    value: inMs(spread.median),
    goal: '< 50 ms',
    met: spread.median < 50,
  }
}

async function views(bench: Bench, handbill: Handbill, owner: Owner): Promise<Row> {
  bench.log('views of a page with and without responses')
  const [full, empty] = [await owner.create({ html: FORM }), await owner.create({ html: FORM })]
  const url = (slug: string) => `${handbill.url}/p/${slug}`
  await respondOften(url(full.slug), bench.isQuick ? 1000 : RESPONSES, false)
  const options = { connections: IN_FLIGHT, seconds: bench.seconds }
  const ours: number[] = []
  const peer: number[] = []
  for (let round = 0; round <= bench.rounds; round++) {
    ours.push((await wrk({ ...options, url: url(full.slug) })).perSecond)
    peer.push((await wrk({ ...options, url: url(empty.slug) })).perSecond)
  }
  const ratio = ratioOf(ours.slice(1), peer.slice(1))
  const [count, views] = [RESPONSES, (await owner.page(full.id)).views].map((value) =>
    value.toLocaleString('en'),
  )
  return {
    figure: `    views of a page with ${count} responses and ${views} views`,
    ours: shown(spreadOf(ours.slice(1)), perSecond),
    peer: `an empty one: ${shown(spreadOf(peer.slice(1)), perSecond)}`,
    value: shown(ratio, times),
    goal: '≥ 0.9x',
    met: ratio.median >= 0.9,
  }
}

interface Opened {
  token: string
  stamp: string
}

async function open(url: string): Promise<Opened> {
  const text = await (await fetch(url)).text()
  const [, token = ''] = /data-token="([^"]+)"/.exec(text) ?? []
  const [, stamp = ''] = /data-stamp="([^"]+)"/.exec(text) ?? []
  return { token, stamp }
}

export async function respondOften(url: string, count: number, hasItems: boolean): Promise<void> {
  let next = 0
  async function worker(): Promise<void> {
    while (next < count) {
      const data = dataOf(next++, hasItems)
      await send(url, await open(url), data)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

async function send(url: string, opened: Opened, data: object): Promise<void> {
  const answer = await fetch(new URL('/~/responses', url), {
    method: 'POST',
    body: JSON.stringify({ ...opened, id: crypto.randomUUID(), data: JSON.stringify(data) }),
  })
  if (!answer.ok) throw new Error(`A response was refused: ${await answer.text()}`)
}

function dataOf(n: number, hasItems: boolean): object {
  const fields = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, at) => [`field${at}`, at % 2 ? n * at : `Answer ${n % 97}`]),
  )
  const items = Array.from({ length: ITEMS }, (_, at) => ({ sku: `S${at}`, quantity: n % 10 }))
  return hasItems ? { ...fields, items } : fields
}
