import { useEffect, useState } from 'preact/compat'
import { stored } from '../../stored.ts'

/** Marks what has come since one last looked. */
export function NewMark() {
  return (
    <span className="shrink-0 rounded-full bg-accent px-2 text-12 font-medium text-on-accent">
      New
    </span>
  )
}

const PREFIX = 'handbill:seen:'

/**
 * Finds the items that are new since this browser last showed a list. The next visit starts from
 * what is shown now.
 *
 * @param name of the list
 * @param times of its items; undefined until they are known
 */
export function useArrivals(name: string, times: string[] | undefined): (at: string) => boolean {
  const newest = times?.reduce((a, b) => (a > b ? a : b), '')
  const [before, setBefore] = useState(() => lastSeen(name).read())
  useEffect(() => {
    if (newest === undefined) return
    setBefore((value) => value ?? newest)
    const last = lastSeen(name)
    if (newest > (last.read() ?? '')) last.write(newest)
  }, [name, newest])
  return (at) => before !== null && at > before
}

function lastSeen(name: string) {
  return stored('localStorage', PREFIX + name)
}
