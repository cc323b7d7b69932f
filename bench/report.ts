import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Row {
  figure: string
  ours: string
  peer: string
  /** A ratio, or the value that the goal is about. */
  value: string
  goal: string
  /** null: there is no goal. */
  met: boolean | null
  /** Compares what was counted with what was answered: here a miss is an error, however slow. */
  isExactness?: boolean
}

const ROOT = join(import.meta.dir, '..')
const COLUMNS = ['figure', 'ours', 'peer', 'ratio or value', 'goal', 'met?']

export function renderTable(rows: Row[]): string {
  const lines = [COLUMNS, ...rows.map(cellsOf)]
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map((line) => line.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

export interface Report {
  rows: Row[]
  command: string
  notes: string[]
  tempFilesystem: string
  loadBefore: number
}

export function renderMarkdown(report: Report): string {
  const { rows, command, notes, tempFilesystem, loadBefore } = report
  const table = [COLUMNS, COLUMNS.map(() => '---'), ...rows.map(cellsOf)]
  const [cpu] = cpus()
  return `# Benchmark results

Written by \`npm run bench\`; do not edit. Medians of interleaved rounds (ours, peer, ours, peer …)
with the lowest and the highest round in brackets. The ratio is calculated round by round, so other
load on the host affects both. The server runs on core 0 and the load on core 1, over loopback.
Where a server had much less than 100 % of its core, other processes were running: then only the
rates per second of its processor time are meaningful.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

${notes.map((note) => `- ${note}`).join('\n')}

## When and where

| | |
|---|---|
| date | ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC |
| command | \`${command}\` |
| commit | ${firstLine(['git', '-C', ROOT, 'describe', '--always', '--dirty', '--abbrev=10'])} |
| host | ${cpus().length} cores, ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes()} GB memory |
| load before | ${loadBefore.toFixed(2)} (other load on the host makes every figure worse) |
| temp folder | ${tempFilesystem} |
| system | Linux ${release()} |
| versions | ${versions()} |
`
}

function cellsOf({ figure, ours, peer, value, goal, met }: Row): string[] {
  return [figure, ours, peer, value, goal, met === null ? '' : met ? 'yes' : 'NO']
}

function versions(): string {
  const nginx = firstLine(['nginx', '-v']).replace('nginx version: nginx/', 'nginx ')
  const wrk = /wrk \S+/.exec(firstLine(['wrk', '-v']))?.[0] ?? 'wrk'
  return `Bun ${Bun.version}, ${nginx}, ${wrk}`
}

function gigabytes(): number {
  return Math.round(totalmem() / 1024 ** 3)
}

export function loadNow(): number {
  return loadavg()[0]!
}

/** The file system of a folder, such as `ext4`: on some of them an fsync costs nothing. */
export function filesystemOf(folder: string): string {
  return firstLine(['findmnt', '-no', 'FSTYPE', '--target', folder])
}

/** The first line that a command prints, on either stream. */
function firstLine(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return `${stdout}${stderr}`.trim().split('\n')[0]!.trim()
}
