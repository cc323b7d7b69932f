import type { Log } from '../platform/log.ts'

/** Records what is logged, and prints nothing. */
export function silentLog(): Log & { lines: { level: string; msg: string; fields?: object }[] } {
  const lines: { level: string; msg: string; fields?: object }[] = []
  const at = (level: string) => (msg: string, fields?: object) => {
    lines.push({ level, msg, ...(fields && { fields }) })
  }
  return {
    lines,
    request: at('info'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  }
}
