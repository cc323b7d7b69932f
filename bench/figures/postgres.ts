import { type FreshDatabase, startPostgres } from '../../src/testing/postgres.ts'
import { exactness, load, type Round, rateRows, scalingRows } from '../counted-views.ts'
import type { Bench, Figure } from '../figure.ts'
import { headersOf, startEqualNginx } from '../peers.ts'
import { LOAD_CORE, SERVER_CORE } from '../processes.ts'
import type { Row } from '../report.ts'
import { htmlOf } from '../sample-content.ts'
import {
  type CreatedPage,
  type Handbill,
  newOwner,
  type Owner,
  type Served,
  startHandbill,
} from '../servers.ts'
import { perSecond, shown, spreadOf } from '../stats.ts'
import { wrk } from '../wrk.ts'

const PAGE_BYTES = 10 * 1024
const VIEWERS = 256
const VIEWS_GOAL = 0.6
const WRITERS = 64
const CREATES_GOAL = 800
const NODES_GOAL = 1.7

/** (q) The same server on PostgreSQL and on SQLite, and two nodes beside one. */
export const postgres: Figure = {
  letter: 'q',
  about: 'views and creates on PostgreSQL, on SQLite, and by two nodes',
  async measure(bench) {
    await using stack = new AsyncDisposableStack()
    const database = await startPostgres({ isAsInstalled: true })
    stack.defer(() => database.stop())
    bench.note(
      '(q) runs PostgreSQL 18 with its own settings, on the core of the load. Of nodes, the ' +
        'processor time is theirs alone.',
    )
    return [
      ...(await measureViews(bench, await database.freshDatabase())),
      ...(await measureCreates(bench, await database.freshDatabase())),
      ...(await measureNodes(bench, await database.freshDatabase())),
    ]
  },
}

interface Instance {
  handbill: Handbill
  owner: Owner
  page: CreatedPage
}

async function startInstance(folder: string, settings: Record<string, string>): Promise<Instance> {
  const handbill = await startHandbill(folder, settings)
  const owner = await newOwner(handbill)
  const html = new TextDecoder().decode(htmlOf(PAGE_BYTES))
  return { handbill, owner, page: await owner.create({ html, title: 'Counted' }) }
}

/** Views on both engines, beside nginx with the same headers and an access log. */
async function measureViews(bench: Bench, { url }: FreshDatabase): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const engines = [
    { name: 'PostgreSQL', settings: { DATABASE_URL: url }, goal: VIEWS_GOAL },
    { name: 'SQLite', settings: {}, goal: null },
  ]
  const rounds: { [name: string]: Round[] } = {}
  const instances: { [name: string]: Instance } = {}
  for (const { name, settings } of engines) {
    const instance = await startInstance(bench.folder(name), settings)
    stack.use(instance.handbill)
    instances[name] = instance
    rounds[name] = []
  }
  const headers = await headersOf(addressOf(instances.SQLite!))
  const nginx = stack.use(await startEqualNginx({ 'page.html': htmlOf(PAGE_BYTES) }, headers))
  const peer: Round[] = []
  bench.log(`counted views on both engines, ${VIEWERS} connections`)
  for (let round = 0; round <= bench.rounds; round++) {
    for (const { name } of engines) rounds[name]!.push(await view(bench, instances[name]!))
    peer.push(await viewAt(bench, nginx, `${nginx.url}/page.html`))
  }
  const rows: Row[] = []
  for (const { name, goal } of engines) {
    const runs = rounds[name]!
    const { owner, page } = instances[name]!
    const figure = `(q) counted view on ${name}; peer: nginx, the same headers and an access log`
    rows.push(
      ...rateRows(figure, [runs, peer], goal),
      await exactness(owner, page, { before: 0, runs, connections: VIEWERS }),
    )
  }
  return rows
}

function addressOf({ handbill, page }: Instance): string {
  return `${handbill.url}/p/${page.slug}`
}

function view(bench: Bench, instance: Instance, core = LOAD_CORE): Promise<Round> {
  return viewAt(bench, instance.handbill, addressOf(instance), core)
}

function viewAt(bench: Bench, served: Served, url: string, core = LOAD_CORE): Promise<Round> {
  return load(served, { url, connections: VIEWERS, seconds: bench.seconds, core })
}

/** Durable creates on both engines. */
async function measureCreates(bench: Bench, { url }: FreshDatabase): Promise<Row[]> {
  await using onPostgres = await startHandbill(bench.folder('creates'), { DATABASE_URL: url })
  await using onSqlite = await startHandbill(bench.folder('creates'))
  const servers = [onPostgres, onSqlite]
  const keys = [(await newOwner(onPostgres)).key, (await newOwner(onSqlite)).key]
  const created: [number[], number[]] = [[], []]
  bench.log(`POST /pages, 10 KB, ${WRITERS} in flight, on both engines`)
  for (let round = 0; round <= bench.rounds; round++) {
    for (const [at, handbill] of servers.entries()) {
      const run = await wrk({
        url: `${handbill.url}/api/v1/pages`,
        connections: WRITERS,
        seconds: bench.seconds,
        script: 'creates.lua',
        args: [keys[at]!, `round${round}`],
      })
      if (run.refused > 0) throw new Error(`${run.refused} creates were refused`)
      if (round > 0) created[at]!.push(run.perSecond)
    }
  }
  const rate = spreadOf(created[0])
  return [
    {
      figure: `(q) creates of 10 KB pages on PostgreSQL, ${WRITERS} in flight; peer: on SQLite`,
      ours: shown(rate, perSecond),
      peer: shown(spreadOf(created[1]), perSecond),
      value: perSecond(rate.median),
      goal: `≥ ${perSecond(CREATES_GOAL)}`,
      met: rate.median >= CREATES_GOAL,
    },
  ]
}

/** Two nodes on both cores beside one of them alone. */
async function measureNodes(bench: Bench, { url }: FreshDatabase): Promise<Row[]> {
  const settings = { DATABASE_URL: url }
  const folder = bench.folder('nodes')
  const first = await startInstance(folder, settings)
  await using _ = first.handbill
  await using other = await startHandbill(folder, settings, LOAD_CORE)
  const second = { ...first, handbill: other }
  const [one, two]: [Round[], Round[]] = [[], []]
  bench.log('one node, and two nodes at once')
  for (let round = 0; round <= bench.rounds; round++) {
    one.push(await view(bench, first))
    const both = [view(bench, first, LOAD_CORE), view(bench, second, SERVER_CORE)]
    two.push(sumOf(await Promise.all(both)))
  }
  const runs = [...one, ...two]
  const figure =
    '(q) two nodes on two cores; peer: one node (load and PostgreSQL on the same cores)'
  return [
    ...scalingRows(figure, [one, two], { unit: 'node', processes: 2, goal: NODES_GOAL }),
    await exactness(first.owner, first.page, { before: 0, runs, connections: 2 * VIEWERS }),
  ]
}

/** A round of several servers at once. */
function sumOf(runs: Round[]): Round {
  const sum = (of: (run: Round) => number) => runs.reduce((total, run) => total + of(run), 0)
  return {
    responses: sum((run) => run.responses),
    refused: sum((run) => run.refused),
    bytes: sum((run) => run.bytes),
    perSecond: sum((run) => run.perSecond),
    p99Ms: Math.max(...runs.map((run) => run.p99Ms)),
    cpuS: sum((run) => run.cpuS),
    share: sum((run) => run.share),
  }
}
