/** `npm run bench`: each figure beside its peer, in one run. See --help. */
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { creates } from './figures/creates.ts'
import { download } from './figures/download.ts'
import { edits } from './figures/edits.ts'
import { gates } from './figures/gates.ts'
import { lists } from './figures/lists.ts'
import { responses } from './figures/responses.ts'
import { scale } from './figures/scale.ts'
import { start } from './figures/start.ts'
import { views } from './figures/views.ts'
import { benchFolder, type Lab, LOAD_CORE, leave, newFolder } from './lab.ts'
import { filesystemOf, loadNow, markdown, printed, type Row } from './report.ts'

const FIGURES = [views, creates, edits, lists, start, scale, download, gates, responses]
const RESULTS = join(import.meta.dir, 'RESULTS.md')
const HELP = `npm run bench [-- --only a,b] [--quick] [--rounds N] [--seconds N]

${FIGURES.map(({ letter, about }) => `  ${letter}  ${about}`).join('\n')}

  --only     measure some of them; bench/RESULTS.md is written by whole runs only
  --quick    3 rounds of 2 seconds and at most 10,000 pages, for trying out; writes nothing
  --rounds   how often ours and the peer take turns (5)    --seconds   how long a round is (4)

Servers run on core 0 and the load on core 1. BENCH_DIR is where the data goes (the temp folder).`

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return tell(HELP, 0)
  const missing = whatIsMissing()
  if (missing !== null) return tell(missing, 1)
  const letters = values.only?.split(',') ?? FIGURES.map(({ letter }) => letter)
  const unknown = letters.find((one) => !FIGURES.some(({ letter }) => letter === one))
  if (unknown !== undefined) return tell(`There is no figure ${unknown}.\n\n${HELP}`, 2)
  const lengths = {
    rounds: Number(values.rounds ?? (values.quick ? 3 : 5)),
    seconds: Number(values.seconds ?? (values.quick ? 2 : 4)),
    isQuick: values.quick,
  }
  const isWhole = !values.quick && values.only === undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void leave().then(() => process.exit(130)))
  }
  try {
    await measure(letters, lengths, isWhole)
    return 0
  } finally {
    await leave()
  }
}

type Lengths = Pick<Lab, 'rounds' | 'seconds' | 'isQuick'>

async function measure(letters: string[], lengths: Lengths, isWhole: boolean): Promise<void> {
  // This process sends requests of its own: it shares the core of the load, never the server's.
  Bun.spawnSync(['taskset', '-acp', String(LOAD_CORE), String(process.pid)])
  const loadBefore = loadNow()
  const notes: string[] = []
  const rows: Row[] = []
  const lab: Lab = {
    ...lengths,
    folder: newFolder,
    say: (text) => void process.stderr.write(`  ${text}\n`),
    note: (text) => void notes.push(text),
  }
  for (const figure of FIGURES.filter(({ letter }) => letters.includes(letter))) {
    process.stderr.write(`(${figure.letter}) ${figure.about}\n`)
    rows.push(...(await figure.measure(lab)))
  }
  process.stdout.write(`\n${printed(rows)}\n\n${notes.map((note) => `- ${note}\n`).join('')}`)
  if (!isWhole) return
  const given = process.argv.slice(2)
  const command = ['npm run bench', ...(given.length > 0 ? ['--', ...given] : [])].join(' ')
  const tempFilesystem = filesystemOf(benchFolder())
  await Bun.write(RESULTS, markdown({ rows, command, notes, tempFilesystem, loadBefore }))
  process.stdout.write(`\nWritten to ${RESULTS}\n`)
}

function whatIsMissing(): string | null {
  const missing = ['nginx', 'wrk', 'taskset', 'curl'].filter((name) => Bun.which(name) === null)
  if (missing.length > 0) {
    return (
      `The benchmark needs ${missing.join(', ')}. On Debian or Ubuntu, as root:\n` +
      '  apt-get install -y nginx-light wrk curl util-linux'
    )
  }
  const cores = cpus().length
  return cores < 2 ? `The benchmark needs 2 cores; this machine has ${cores}.` : null
}

function tell(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}
