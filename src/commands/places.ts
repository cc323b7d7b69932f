import { join } from 'node:path'
import type { Config } from '../platform/config.ts'

/** The SQLite database. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'handbill.db')
}

/** Locked by the server that is at the database. */
export function lockFile(dataDir: string): string {
  return join(dataDir, 'serve.lock')
}

/** It is there while a backup is restored into the folder. */
export function restoreMark(dataDir: string): string {
  return join(dataDir, 'restoring')
}

/** How often commands have written beside the server. */
export function commandWritesFile(dataDir: string): string {
  return join(dataDir, 'command-writes')
}

/** The same relative path from here and from `dist/server` in the executable. */
export const WEB_FILES = join(import.meta.dir, '../../dist/web')

/** Hosts that stand for every address of this computer, and the one to call them by. */
const ALL: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '*': '127.0.0.1' }
/** Names of this computer, for which browsers and programs try the same addresses. */
const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** The address at which programs on this computer reach the server. */
export function addressOf({ host, port }: Config['listen']): string {
  const name = ALL[host] ?? (host.includes(':') ? `[${host}]` : host)
  return `http://${name}:${port}`
}

/** Whether two origins are the same, apart from the name of this computer. */
export function isSameAddress(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)]
  if (first.origin === second.origin) return true
  const areLocal = LOCAL.includes(first.hostname) && LOCAL.includes(second.hostname)
  return areLocal && first.protocol === second.protocol && first.port === second.port
}
