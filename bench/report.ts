import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Row {
  figure: string
  ours: string
  peer: string
  /** A ratio, or the value that the goal speaks of. */
  value: string
  goal: string
  /** Null where there is no goal. */
  met: boolean | null
}

const ROOT = join(import.meta.dir, '..')
const HEADS = ['figure', 'ours', 'peer', 'ratio or value', 'goal', 'met?']

export function printed(rows: Row[]): string {
  const lines = [HEADS, ...rows.map(cellsOf)]
  const widths = HEADS.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map((line) => line.map((cell, i) => cell.padEnd(widths[i]!)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

export interface Told {
  rows: Row[]
  command: string
  notes: string[]
  tempFilesystem: string
  loadBefore: number
}

export function markdown({ rows, command, notes, tempFilesystem, loadBefore }: Told): string {
  const table = [HEADS, HEADS.map(() => '---'), ...rows.map(cellsOf)]
  const [cpu] = cpus()
  return `# Benchmark results

Written by \`npm run bench\`; do not edit. Medians of interleaved rounds (ours, peer, ours, peer …)
with the lowest and the highest round in brackets. The ratio is taken round by round, so a spell of
other work on the machine falls on both. Server on core 0, load on core 1, over loopback. Where a
server had much less than all of its core, others were at work: then only the rates per second of
its own processor time tell much.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

${notes.map((note) => `- ${note}`).join('\n')}

## When and where

| | |
|---|---|
| date | ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC |
| command | \`${command}\` |
| commit | ${said(['git', '-C', ROOT, 'describe', '--always', '--dirty', '--abbrev=10'])} |
| machine | ${cpus().length} cores, ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes()} GB memory |
| load before | ${loadBefore.toFixed(2)} (others at work on the machine make every figure worse) |
| temp folder | ${tempFilesystem} |
| system | Linux ${release()} |
| versions | ${versions()} |
`
}

function cellsOf({ figure, ours, peer, value, goal, met }: Row): string[] {
  return [figure, ours, peer, value, goal, met === null ? '' : met ? 'yes' : 'NO']
}

function versions(): string {
  const nginx = said(['nginx', '-v']).replace('nginx version: nginx/', 'nginx ')
  const wrk = /wrk \S+/.exec(said(['wrk', '-v']))?.[0] ?? 'wrk'
  return `Bun ${Bun.version}, ${nginx}, ${wrk}`
}

function gigabytes(): number {
  return Math.round(totalmem() / 1024 ** 3)
}

export function loadNow(): number {
  return loadavg()[0]!
}

/** `ext4` of the folder that the databases are in: where an fsync costs nothing, say so. */
export function filesystemOf(folder: string): string {
  return said(['findmnt', '-no', 'FSTYPE', '--target', folder])
}

/** Its first line, on either stream. */
function said(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return `${stdout}${stderr}`.trim().split('\n')[0]!.trim()
}
