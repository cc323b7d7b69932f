import { decide, type Gate, type VisitorFacts } from '../../src/features/access/index.ts'
import { interleavedRounds, rateRows } from '../counted-views.ts'
import type { Bench, Figure } from '../figure.ts'
import { headersOf, startEqualNginx } from '../peers.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import { type Handbill, newOwner, startHandbill } from '../servers.ts'
import { inMs, perSecond, shown, spreadOf, times } from '../stats.ts'

const PAGE_BYTES = 10 * 1024
const PASSWORD = 'four short words'
const TRIES = 10_000
const LOCKED_CONNECTIONS = 32
const LOCKED_GOAL = 0.8

/** (h) The cost of gates: views with a cookie, the decision alone, views during an attack. */
export const gates: Figure = {
  letter: 'h',
  about: 'a password page with its cookie beside nginx; decide; ordinary views under attack',
  async measure(bench) {
    const html = htmlOf(PAGE_BYTES)
    await using handbill = await startHandbill(bench.folder('gates'), { RATE_LIMITS: 'on' })
    const owner = await newOwner(handbill)
    const text = new TextDecoder().decode(html)
    const locked = await owner.create({
      html: text,
      title: 'Locked',
      access: 'password',
      password: PASSWORD,
    })
    const open = await owner.create({ html: text, title: 'Open' })
    const lockedUrl = `${handbill.url}/p/${locked.slug}`
    return [
      ...(await lockedViews(bench, handbill, lockedUrl)),
      decisions(),
      await underAttack(bench, { openUrl: `${handbill.url}/p/${open.slug}`, lockedUrl }),
    ]
  },
}

async function lockedViews(bench: Bench, handbill: Handbill, url: string): Promise<Row[]> {
  const headers = { cookie: await unlock(url) }
  const files = { 'page.html': htmlOf(PAGE_BYTES) }
  await using nginx = await startEqualNginx(files, await headersOf(url, headers))
  const targets = [
    { served: handbill, url, headers },
    { served: nginx, url: `${nginx.url}/page.html`, headers },
  ]
  const [ours, peer] = await interleavedRounds(bench, targets, LOCKED_CONNECTIONS)
  const figure = `(h) view of a password page with its cookie, ${LOCKED_CONNECTIONS} connections`
  return rateRows(figure, [ours!, peer!], LOCKED_GOAL)
}

/** Sends the password form as a browser does. @returns its cookies */
async function unlock(url: string): Promise<string> {
  const gate = await fetch(url)
  const browser = gate.headers.getSetCookie().map((line) => line.split(';')[0]!)
  const token = /name="token" value="([^"]*)"/.exec(await gate.text())![1]!
  const { origin, pathname } = new URL(url)
  const answer = await fetch(`${origin}${pathname}/~/password`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: browser.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, path: '', password: PASSWORD }).toString(),
  })
  const pass = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
  return [...browser, ...pass].join('; ')
}

function decisions(): Row {
  const gate: Gate = {
    is_published: true,
    is_taken_down: false,
    access: 'people',
    allowed_emails: ['a@example.com', 'b@example.com', 'ann@example.com'],
    allowed_domains: [],
    business_only: false,
    require_signin: false,
    allow_access_requests: false,
    expires_ms: Date.parse('2099-01-01T00:00:00Z'),
  }
  const visitor: VisitorFacts = {
    is_owner: false,
    emails: ['ann@example.com'],
    is_signed_in: false,
    gave_password: false,
    isBeyondLimit: false,
    isPersonalDomain: () => false,
  }
  const nowMs = Date.now()
  const rounds: number[] = []
  const calls = 2_000_000
  for (let round = 0; round < 6; round++) {
    const began = performance.now()
    let opened = 0
    for (let i = 0; i < calls; i++) if (decide(gate, visitor, nowMs).outcome === 'open') opened += 1
    if (opened !== calls) throw new Error('The gate did not open')
    rounds.push((calls / (performance.now() - began)) * 1000)
  }
  const spread = spreadOf(rounds.slice(1))
  return {
    figure: '    decide, an invited visitor of a page that expires',
    ours: shown(spread, perSecond),
    peer: 'none',
    value: perSecond(spread.median),
    goal: '≥ 5,000,000/s',
    met: spread.median >= 5_000_000,
  }
}

interface Attack {
  openUrl: string
  lockedUrl: string
}

/** 200 ordinary views per second, alone and while one address tries passwords. */
async function underAttack(bench: Bench, { openUrl, lockedUrl }: Attack): Promise<Row> {
  bench.log('ordinary views while one address tries 10,000 passwords')
  const views = Math.max(600, bench.seconds * 200)
  const alone = await viewsP99(openUrl, views)
  let isOver = false
  const attack = tryPasswords(lockedUrl).finally(() => {
    isOver = true
  })
  const meanwhile = await viewsP99(openUrl, views, () => isOver)
  const refused = await attack
  if (refused < TRIES - 60) throw new Error(`Only ${refused} of ${TRIES} tries were refused`)
  const ratio = meanwhile / alone
  return {
    figure: `    p99 of ordinary views while ${TRIES.toLocaleString('en')} passwords are tried`,
    ours: inMs(meanwhile),
    peer: `alone ${inMs(alone)}`,
    value: times(ratio),
    goal: '≤ 2x',
    met: ratio <= 2,
  }
}

/** Views a page at a steady rate. @returns the p99 in milliseconds */
async function viewsP99(url: string, count: number, isOver = () => false): Promise<number> {
  const took: Promise<number>[] = []
  for (let i = 0; i < count && !isOver(); i++) {
    const began = performance.now()
    took.push(
      fetch(url)
        .then((answer) => answer.arrayBuffer())
        .then(() => performance.now() - began),
    )
    await Bun.sleep(5)
  }
  const sorted = (await Promise.all(took)).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)]!
}

/** @returns how many attempts got a 429 */
async function tryPasswords(url: string): Promise<number> {
  const gate = await fetch(url)
  const cookie = gate.headers
    .getSetCookie()
    .map((line) => line.split(';')[0]!)
    .join('; ')
  const token = /name="token" value="([^"]*)"/.exec(await gate.text())![1]!
  const { origin, pathname } = new URL(url)
  let refused = 0
  let next = 0
  async function attacker(): Promise<void> {
    while (next < TRIES) {
      const password = `guess-${next++}`
      const answer = await fetch(`${origin}${pathname}/~/password`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, path: '', password }).toString(),
      })
      await answer.arrayBuffer()
      if (answer.status === 429) refused += 1
    }
  }
  await Promise.all(Array.from({ length: 4 }, attacker))
  return refused
}
