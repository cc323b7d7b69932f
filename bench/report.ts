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
  /** The row compares counts with answers, so a miss is an error and not just slow. */
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

/** The measurements of a figure. */
export interface Measured {
  letter: string
  rows: Row[]
  notes: string[]
  /** The measurement failed, and its only row says so. */
  isBroken: boolean
}

export interface Run {
  command: string
  tempFilesystem: string
  loadBefore: number
}

const HEADING = '## When and where'
const LATER_HEADING = '## Measured later than the rest'
const ROW = /^\| \((\w)\) /
const NOTE = /^- \((\w)\) /

/** The results of a complete run. */
export function renderMarkdown(measured: Measured[], run: Run): string {
  const table = [COLUMNS, COLUMNS.map(() => '---')].map(lineOf)
  const rows = measured.flatMap((one) => one.rows.map((row) => lineOf(cellsOf(row))))
  const notes = measured.flatMap((one) => one.notes)
  const [cpu] = cpus()
  return `# Benchmark results

Written by \`npm run bench\`; do not edit. Medians of interleaved rounds (ours, peer, ours, peer …)
with the lowest and the highest round in brackets. The ratio is calculated round by round, so other
load on the host affects both. The server runs on core 0 and the load on core 1, over loopback.
Where a server had much less than 100 % of its core, other processes were running: then only the
rates per second of its processor time are meaningful.

${[...table, ...rows].join('\n')}

${notes.map((note) => `- ${note}`).join('\n')}

${HEADING}

| | |
|---|---|
| date | ${dateNow()} |
| command | \`${run.command}\` |
| commit | ${commitNow()} |
| host | ${cpus().length} cores, ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes()} GB memory |
| load before | ${run.loadBefore.toFixed(2)} (other load on the host makes every figure worse) |
| temp folder | ${run.tempFilesystem} |
| system | Linux ${release()} |
| versions | ${versions()} |
`
}

interface Refreshed {
  measured: Measured[]
  run: Run
  /** The letters of all figures. */
  order: string[]
}

/** Replaces the rows and notes of some figures in the results of a complete run, and says when. */
export function refreshMarkdown(results: string, { measured, run, order }: Refreshed): string {
  const conditions = results.slice(results.indexOf(HEADING))
  const lines = results.slice(0, results.indexOf(HEADING)).split('\n')
  const first = lines.findIndex((line) => line.startsWith('| --- |')) + 1
  const end = lines.findIndex((line, at) => at >= first && !line.startsWith('|'))
  const laterAt = lines.indexOf(LATER_HEADING)
  const notesEnd = laterAt === -1 ? lines.length : laterAt
  const rows = byLetter(lines.slice(first, end), ROW)
  const notes = byLetter(lines.slice(end, notesEnd), NOTE)
  const later = byLetter(lines.slice(notesEnd + 1), NOTE)
  const when = `${dateNow()}, commit ${commitNow()}, load before ${run.loadBefore.toFixed(2)}`
  for (const { letter, ...now } of measured) {
    const rowLines = now.rows.map((row) => lineOf(cellsOf(row)))
    rows.set(letter, rowLines)
    const noteLines = now.notes.map((note) => `- ${note}`)
    notes.set(letter, noteLines)
    later.set(letter, [`- (${letter}) ${when}, \`${run.command}\``])
  }
  const inOrder = (groups: Map<string, string[]>) =>
    order.flatMap((letter) => groups.get(letter) ?? [])
  return [
    ...[...lines.slice(0, first), ...inOrder(rows), ''],
    ...[...inOrder(notes), '', LATER_HEADING, ''],
    ...[...inOrder(later), '', conditions],
  ].join('\n')
}

/** Groups lines: one that begins with a letter in brackets begins the group of that letter. */
function byLetter(lines: string[], beginning: RegExp): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  let letter = ''
  for (const line of lines.filter(Boolean)) {
    letter = beginning.exec(line)?.[1] ?? letter
    groups.set(letter, [...(groups.get(letter) ?? []), line])
  }
  return groups
}

function lineOf(cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

function dateNow(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function commitNow(): string {
  return firstLine(['git', '-C', ROOT, 'describe', '--always', '--dirty', '--abbrev=10'])
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
