import { resolve } from 'node:path'
import { CommandFailed } from './output.ts'

const CAUSES: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its file system is read-only',
}

/** Says which user may not use which file, if the operating system refused access. */
export function explainDenied(err: unknown, uid = process.getuid!()): unknown {
  const { code = '', path } = err as NodeJS.ErrnoException
  const cause = CAUSES[code]
  if (!(err instanceof Error) || cause === undefined || path === undefined) return err
  const message = `Cannot use ${resolve(path)}: ${cause}. The program runs as user ${uid}.`
  return new CommandFailed(message)
}
