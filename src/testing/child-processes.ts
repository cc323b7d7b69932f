import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process has started and that run, oldest first. On Linux. */
export function childProcessesOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number)
    .sort((a, b) => a - b)
}
