import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { inMegabytes } from '../src/model/plan.ts'
import { oneLine } from './output.ts'

/** Prose, for whoever watches: stdout belongs to results. */
export function say(line: string): void {
  process.stderr.write(`${oneLine(line)}\n`)
}

/** The same, for whoever may as well not read it. */
export function sayMuted(line: string, noColor: boolean): void {
  const [on, off] = process.stderr.isTTY && !noColor ? ['\u001b[2m', '\u001b[0m'] : ['', '']
  process.stderr.write(`${on}${oneLine(line)}${off}\n`)
}

/** Whether stdout is a terminal: a person, not a program, reads what is printed. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Whether a person can be asked: both ends of a question are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** A line typed in answer; what stands in `fallback` where nothing is typed. */
export async function ask(question: string, fallback = ''): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question(question)).trim() || fallback
  } finally {
    lines.close()
  }
}

export async function confirm(question: string, otherwise: 'yes' | 'no'): Promise<boolean> {
  const answer = await ask(`${question} ${otherwise === 'yes' ? '[Y/n]' : '[y/N]'} `, otherwise)
  return /^y/i.test(answer)
}

/** As `ask`, without showing what is typed. */
export async function askSecret(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  process.stderr.write(question)
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** Addresses of the web alone: what else a server names could start any program. */
export function openInBrowser(url: string): void {
  const { protocol = '', href = '' } = URL.parse(url) ?? {}
  if (!/^https?:$/.test(protocol)) {
    say(`No browser was started: ${url} is no address of a page.`)
    return
  }
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program!, [...args, href], { stdio: 'ignore', detached: true })
  child.on('error', () => say(`No browser could be started: open ${url}`))
  child.unref()
}
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export interface Progress {
  /** So many bytes of all have gone. */
  at(sentBytes: number): void
  end(): void
}

const BAR_WIDTH = 24

/** A bar on stderr, where somebody watches it; else nothing. */
export function showProgress(label: string, totalBytes: number): Progress {
  if (!process.stderr.isTTY) return { at: () => {}, end: () => {} }
  let shown = -1
  return {
    at(sentBytes) {
      const part = Math.min(sentBytes / totalBytes, 1)
      const percent = Math.floor(part * 100)
      if (percent === shown) return
      shown = percent
      const bar = '█'.repeat(Math.round(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
      process.stderr.write(`\r${label} ${bar} ${percent}% of ${inMegabytes(totalBytes)}\u001b[K`)
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  }
}
