import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { inMegabytes } from '../src/model/plan.ts'
import { neutralize, writeLines, writeProgress, writeQuestion } from './output.ts'

/** Prints a line for people on stderr: stdout is for results. */
export function printStatus(line: string): void {
  writeLines('stderr', line)
}

export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks for a line of input. An empty line gives `fallback`. */
export async function prompt(question: string, fallback = ''): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question(neutralize(question))).trim() || fallback
  } finally {
    lines.close()
  }
}

export async function confirm(question: string, fallback: 'yes' | 'no'): Promise<boolean> {
  const answer = await prompt(`${question} ${fallback === 'yes' ? '[Y/n]' : '[y/N]'} `, fallback)
  return /^y/i.test(answer)
}

export async function promptSecret(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  writeQuestion(question)
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    writeLines('stderr', [''])
  }
}

/** Opens http and https addresses only: another scheme could start any program. */
export function openInBrowser(url: string): void {
  const { protocol = '', href = '' } = URL.canParse(url) ? new URL(url) : {}
  if (!/^https?:$/.test(protocol)) {
    printStatus(`No browser was started: ${url} is not a web address.`)
    return
  }
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program!, [...args, href], { stdio: 'ignore', detached: true })
  child.on('error', () => printStatus(`No browser could be started: open ${url}`))
  child.unref()
}
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export interface Progress {
  update(sentBytes: number, totalBytes: number): void
  end(): void
}

const BAR_WIDTH = 24

export function showProgress(label: string): Progress {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  let lastPercent = -1
  return {
    update(sentBytes, totalBytes) {
      const ratio = Math.min(sentBytes / totalBytes, 1)
      const percent = Math.floor(ratio * 100)
      if (percent === lastPercent) return
      lastPercent = percent
      const bar = '█'.repeat(Math.round(ratio * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
      writeProgress(`${label} ${bar} ${percent}% of ${inMegabytes(totalBytes)}`)
    },
    end: () => writeProgress(null),
  }
}
