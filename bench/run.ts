/** `npm run bench` measures each figure beside its peer. See --help. */
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench, Figure } from './figure.ts'
import { comments } from './figures/comments.ts'
import { creates } from './figures/creates.ts'
import { dashboard } from './figures/dashboard.ts'
import { download } from './figures/download.ts'
import { edits } from './figures/edits.ts'
import { feedback } from './figures/feedback.ts'
import { firstPaint } from './figures/first-paint.ts'
import { gates } from './figures/gates.ts'
import { lists } from './figures/lists.ts'
import { namedLinks } from './figures/named-links.ts'
import { pageLoads } from './figures/page-loads.ts'
import { polls } from './figures/polls.ts'
import { postgres } from './figures/postgres.ts'
import { requests } from './figures/requests.ts'
import { responses } from './figures/responses.ts'
import { scale } from './figures/scale.ts'
import { sites } from './figures/sites.ts'
import { stalls } from './figures/stalls.ts'
import { start } from './figures/start.ts'
import { threads } from './figures/threads.ts'
import { views } from './figures/views.ts'
import { benchFolder, cleanUp, LOAD_CORE, newFolder, stopServers } from './processes.ts'
import {
  filesystemOf,
  loadNow,
  type Measured,
  refreshMarkdown,
  renderMarkdown,
  renderTable,
} from './report.ts'

const FIGURES = [
  views,
  creates,
  edits,
  lists,
  start,
  scale,
  download,
  gates,
  responses,
  pageLoads,
  polls,
  comments,
  threads,
  dashboard,
  sites,
  postgres,
  stalls,
  requests,
  feedback,
  firstPaint,
  namedLinks,
]
/** Counted views, and other requests for pages: short, and with counts that must be exact. */
const CI_FIGURES = ['a', 's']
const RESULTS = join(import.meta.dir, 'RESULTS.md')
const PREPARE = join(import.meta.dir, '../bin/prepare')
const HELP = `npm run bench [-- --only a,b [--write]] [--quick | --ci] [--rounds N] [--seconds N]

${FIGURES.map(({ letter, about }) => `  ${letter}  ${about}`).join('\n')}

  --only     measures some figures; complete runs write bench/RESULTS.md
  --write    with --only: replaces their rows in bench/RESULTS.md, with the date and the commit
  --quick    3 rounds of 2 seconds and at most 10,000 pages, as a trial; writes nothing
  --ci       one round of a second of the views (a) and requests (s); writes nothing
  --rounds   how many rounds of ours and the peer (5)    --seconds   how long a round is (4)

It fails where a measurement breaks or a count is not exact, and never because of a time. A figure
that breaks does not end the others.
Servers run on core 0 and the load on core 1. BENCH_DIR is the folder for data (the temp folder).`

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(HELP, 0)
  // A machine with one core can run all other steps of bin/ci.
  if (values.ci && cpus().length < 2) return print('Skipped: the benchmark needs 2 cores.', 0)
  const missing = findMissing()
  if (missing !== null) return print(missing, 1)
  const inCi = values.ci ? CI_FIGURES : undefined
  const letters = values.only?.split(',') ?? inCi ?? FIGURES.map(({ letter }) => letter)
  const unknown = letters.find((one) => !FIGURES.some(({ letter }) => letter === one))
  if (unknown !== undefined) return print(`There is no figure ${unknown}.\n\n${HELP}`, 2)
  const options = {
    rounds: Number(values.rounds ?? (values.ci ? 1 : values.quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (values.ci ? 1 : values.quick ? 2 : 4)),
    isQuick: values.quick || values.ci,
  }
  const isComplete = !options.isQuick && values.only === undefined
  const writing = isComplete ? 'all' : values.write ? 'some' : null
  if (values.write && (options.isQuick || values.only === undefined)) {
    return print(`--write goes with --only, and with neither --quick nor --ci.\n\n${HELP}`, 2)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().then(() => process.exit(130)))
  }
  try {
    return await measure(letters, options, writing)
  } finally {
    await cleanUp()
  }
}

type Options = Pick<Bench, 'rounds' | 'seconds' | 'isQuick'>

/** @returns the exit code: 1 if a figure failed or a count was wrong, whatever the speed */
async function measure(
  letters: string[],
  options: Options,
  writing: 'all' | 'some' | null,
): Promise<number> {
  // This process sends requests too, so it runs on the core of the load.
  Bun.spawnSync(['taskset', '-acp', String(LOAD_CORE), String(process.pid)])
  const loadBefore = loadNow()
  // Logs this once, but not while a server starts.
  Bun.spawnSync([PREPARE, '--build'], { stdio: ['ignore', 'inherit', 'inherit'] })
  const all: Measured[] = []
  for (const figure of FIGURES.filter(({ letter }) => letters.includes(letter))) {
    process.stderr.write(`(${figure.letter}) ${figure.about}\n`)
    const measured = await measureOne(figure, options)
    all.push(measured)
    const notes = measured.notes.map((note) => `- ${note}\n`).join('')
    process.stdout.write(`\n${renderTable(measured.rows)}\n\n${notes}`)
  }
  if (writing !== null) await writeResults(all, loadBefore, writing)
  const broken = all.filter(({ isBroken }) => isBroken).map(({ letter }) => `(${letter})`)
  const wrong = all
    .flatMap(({ rows }) => rows)
    .filter(({ isExactness, met }) => isExactness === true && met === false)
  if (broken.length > 0) print(`Broke: ${broken.join(', ')}. The errors are above.`, 1)
  if (wrong.length > 0)
    print(`Counts that are not exact: ${wrong.length}. The tables show them.`, 1)
  return broken.length + wrong.length === 0 ? 0 : 1
}

/** Measures a figure. If it fails, its row says so, and its servers are stopped. */
async function measureOne(figure: Figure, options: Options): Promise<Measured> {
  const { letter, about } = figure
  const notes: string[] = []
  const bench: Bench = {
    ...options,
    folder: newFolder,
    log: (text) => void process.stderr.write(`  ${text}\n`),
    note: (text) => void notes.push(text),
  }
  try {
    return { letter, rows: await figure.measure(bench), notes, isBroken: false }
  } catch (err) {
    process.stderr.write(`${Bun.inspect(err)}\n`)
    await stopServers()
    const blank = { ours: '', peer: '', goal: '', met: null }
    const rows = [{ ...blank, figure: `(${letter}) ${about}`, value: 'the measurement broke' }]
    return { letter, rows, notes: [], isBroken: true }
  }
}

async function writeResults(all: Measured[], loadBefore: number, writing: 'all' | 'some') {
  const args = process.argv.slice(2)
  const command = ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
  const run = { command, loadBefore, tempFilesystem: filesystemOf(benchFolder()) }
  if (writing === 'all') await Bun.write(RESULTS, renderMarkdown(all, run))
  else {
    const order = FIGURES.map(({ letter }) => letter)
    const measured = all.filter(({ isBroken }) => !isBroken)
    const before = await Bun.file(RESULTS).text()
    await Bun.write(RESULTS, refreshMarkdown(before, { measured, run, order }))
  }
  process.stdout.write(`\nWritten to ${RESULTS}\n`)
}

function findMissing(): string | null {
  const missing = ['nginx', 'wrk', 'taskset', 'curl'].filter((name) => Bun.which(name) === null)
  if (missing.length > 0) {
    return (
      `The benchmark needs ${missing.join(', ')}. On Debian or Ubuntu, as root:\n` +
      '  apt-get install -y nginx-light wrk curl util-linux'
    )
  }
  const cores = cpus().length
  return cores < 2 ? `The benchmark needs 2 cores; this host has ${cores}.` : null
}

function print(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}
