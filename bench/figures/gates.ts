import { decide, type Gate, type VisitorFacts } from '../../src/features/access/index.ts'
import { interleavedRounds, rateRows } from '../counted-views.ts'
import type { Bench, Figure } from '../figure.ts'
import { headersOf, startEqualNginx } from '../peers.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import { type Handbill, newOwner, startHandbill } from '../servers.ts'
import { inMs, perSecond, quantile, ratioOf, shown, spreadOf, times } from '../stats.ts'
import { read, timed } from '../timing.ts'
import { type WrkOptions, type WrkRun, wrk } from '../wrk.ts'

const PAGE_BYTES = 10 * 1024
const PASSWORD = 'four short words'
/** In each round. */
const MIN_TRIES = 10_000
const ATTACKERS = 4
const ATTACK_GOAL = 2
/** So long, a p99 has the slowest eight of 800 views beyond it. */
const VIEWS_SECONDS = 4
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
      ...(await underAttack(bench, { openUrl: `${handbill.url}/p/${open.slug}`, lockedUrl })),
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
  const { browser, token } = await gateOf(url)
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

/** The cookies of a browser that opened a gate, and the token in its form. */
async function gateOf(url: string): Promise<{ browser: string[]; token: string }> {
  const gate = await fetch(url)
  const browser = gate.headers.getSetCookie().map((line) => line.split(';')[0]!)
  const token = /name="token" value="([^"]*)"/.exec(await gate.text())![1]!
  return { browser, token }
}

function decisions(): Row {
  const gate: Gate = {
    is_trashed: false,
    is_published: true,
    is_suspended: false,
    is_taken_down: false,
    access: 'people',
    allowed_emails: ['a@example.com', 'b@example.com', 'ann@example.com'],
    allowed_domains: [],
    business_only: false,
    require_signin: false,
    allow_access_requests: false,
    agreement: null,
    expires_ms: Date.parse('2099-01-01T00:00:00Z'),
  }
  const visitor: VisitorFacts = {
    is_owner: false,
    emails: ['ann@example.com'],
    is_signed_in: false,
    gave_password: false,
    agreed_version: null,
    isBeyondLimit: false,
    isLinkClosed: false,
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

/**
 * 200 ordinary views per second, calm and beside four connections of wrk, which ask as fast as they
 * are answered: first for the same page, then with guesses of a password. The views are of another
 * process, which comes before wrk on its core: what waits in the client is not the server.
 */
async function underAttack(bench: Bench, { openUrl, lockedUrl }: Attack): Promise<Row[]> {
  bench.log('ordinary views while one address tries passwords')
  const seconds = Math.max(VIEWS_SECONDS, bench.seconds)
  const guesses = await guessesOf(lockedUrl)
  const beside = (options: Partial<WrkOptions> & { url: string }) => () =>
    wrk({ connections: ATTACKERS, seconds, isBackground: true, ...options })
  const loads = [
    () => Bun.sleep(seconds * 1000).then(() => null),
    beside({ url: openUrl }),
    beside(guesses),
  ]
  const p99s: number[][] = [[], [], []]
  const tries: number[] = []
  // The client compiles its code first. What the server has to compile counts.
  await viewsBeside(openUrl, () => Bun.sleep(1000).then(() => null))
  for (let round = 0; round < bench.rounds; round++) {
    for (const [which, load] of loads.entries()) {
      const { p99, answered } = await viewsBeside(openUrl, load)
      p99s[which]!.push(p99)
      if (which === 2 && answered !== null) tries.push(assertRefused(answered))
    }
  }
  const [calm, views, tried] = p99s as [number[], number[], number[]]
  const row = (figure: string, ours: number[], goal: number | null): Row => {
    const ratio = ratioOf(ours, calm)
    return {
      figure,
      ours: shown(spreadOf(ours), inMs),
      peer: `calm: ${shown(spreadOf(calm), inMs)}`,
      value: shown(ratio, times),
      goal: goal === null ? 'none' : `≤ ${goal}x`,
      met: goal === null ? null : ratio.median <= goal,
    }
  }
  const attack = row('    p99 of ordinary views while passwords are tried', tried, ATTACK_GOAL)
  const count = Math.min(...tries).toLocaleString('en')
  return [
    { ...attack, ours: `${attack.ours}, ${count} tries a round or more` },
    row('    the same while as many connections view pages', views, null),
  ]
}

/** Views a page at a steady rate until the load is over. */
async function viewsBeside(url: string, load: () => Promise<WrkRun | null>) {
  let isOver = false
  const running = load().finally(() => {
    isOver = true
  })
  const took: Promise<number>[] = []
  while (!isOver) {
    took.push(timed(() => read(url)))
    await Bun.sleep(5)
  }
  const p99 = quantile(await Promise.all(took), 0.99)
  return { p99, answered: await running }
}

/** What wrk sends: the form of the gate, each time with another password. */
async function guessesOf(url: string): Promise<Partial<WrkOptions> & { url: string }> {
  const { browser, token } = await gateOf(url)
  return {
    url: `${url}/~/password`,
    script: 'passwords.lua',
    args: [new URLSearchParams({ token, path: '' }).toString()],
    headers: { cookie: browser.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
  }
}

/** @returns how many tries there were, all of which were refused */
function assertRefused({ responses, refused }: WrkRun): number {
  if (refused === responses && responses >= MIN_TRIES) return responses
  throw new Error(`${refused} of ${responses} tries were refused`)
}
