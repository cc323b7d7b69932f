/** `npm run test:faults` makes faults happen under load, and counts what is lost. See --help. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Fault, Row, Tools } from './fault.ts'
import { clockStepped } from './faults/clock.ts'
import { heldConnections, malformed } from './faults/connections.ts'
import { kill, killOfTwo } from './faults/kill.ts'
import { mailDownForAnHour } from './faults/mail-hour.ts'
import { databaseOut, diskFull, mailOut, storeOut } from './faults/outages.ts'
import { powerCut } from './faults/power-cut.ts'
import { startMails } from './mails.ts'
import { flatMemory } from './memory/flat-memory.ts'

const FAULTS: readonly Fault[] = [
  kill,
  killOfTwo,
  powerCut,
  diskFull,
  databaseOut,
  storeOut,
  mailOut,
  heldConnections,
  malformed,
  clockStepped,
  mailDownForAnHour,
  flatMemory,
]
const HELP = `npm run test:faults [-- --only a,b] [--rounds N] [--requests N]

${FAULTS.map(({ letter, about }) => `  ${letter}  ${about}`).join('\n')}

  --only     makes some faults happen
  --rounds   how often each happens (5)
  --requests how many requests memory is watched through (40,000); 1000000 takes half an hour

Everything runs on the loopback and in the temp folder. Ends with 1 where anything was lost.`

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      requests: { type: 'string', default: '40000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(HELP, 0)
  const letters = values.only?.split(',') ?? FAULTS.map(({ letter }) => letter)
  const unknown = letters.find((one) => !FAULTS.some(({ letter }) => letter === one))
  if (unknown !== undefined) return print(`There is no fault ${unknown}.\n\n${HELP}`, 2)
  const rows: Row[] = []
  for (const fault of FAULTS.filter(({ letter }) => letters.includes(letter))) {
    process.stderr.write(`(${fault.letter}) ${fault.about}\n`)
    const missing = fault.missing?.() ?? null
    if (missing === null)
      rows.push(
        ...(await happen(fault, {
          rounds: Number(values.rounds),
          requests: Number(values.requests),
        })),
      )
    else process.stderr.write(`  left out: ${missing}\n`)
  }
  process.stdout.write(`\n${tableOf(rows)}\n`)
  for (const { fault, what, wrong } of rows) {
    for (const text of new Set(wrong)) process.stdout.write(`WRONG: ${fault}, ${what}: ${text}\n`)
  }
  const isWhole = rows.every(({ answered, found, wrong }) => found === answered && !wrong.length)
  return isWhole ? 0 : 1
}

async function happen(fault: Fault, counts: Pick<Tools, 'rounds' | 'requests'>): Promise<Row[]> {
  const folders: string[] = []
  const mails = await startMails()
  try {
    return await fault.run({
      ...counts,
      mails,
      folder() {
        const folder = mkdtempSync(join(tmpdir(), 'handbill-faults-'))
        folders.push(folder)
        return folder
      },
      log: (text) => void process.stderr.write(`  ${text}\n`),
    })
  } finally {
    await mails.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

function tableOf(rows: readonly Row[]): string {
  const cells = [
    ['fault', 'what', 'answered', 'found after', 'lost'],
    ...rows.map(({ fault, what, answered, found }) => [
      fault,
      what,
      ...[answered, found, answered - found].map(String),
    ]),
  ]
  const widths = cells[0]!.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)))
  return cells
    .map((row) =>
      row.map((text, at) => (at < 2 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!))),
    )
    .map((row) => row.join('  '))
    .join('\n')
}

function print(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}
