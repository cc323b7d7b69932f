import { useEffect, useState } from 'react'

const PREFIX = 'handbill:seen:'

/**
 * Finds the items that are new since this browser last showed a list. The next visit starts from
 * what is shown now.
 *
 * @param name of the list
 * @param newest the time of its newest item; undefined until it is known
 */
export function useArrivals(name: string, newest: string | undefined): (at: string) => boolean {
  const [before, setBefore] = useState(() => read(name))
  useEffect(() => {
    if (newest === undefined) return
    setBefore((seen) => seen ?? newest)
    if (newest > (read(name) ?? '')) write(name, newest)
  }, [name, newest])
  return (at) => before !== null && at > before
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name)
  } catch {
    return null
  }
}

function write(name: string, at: string): void {
  try {
    localStorage.setItem(PREFIX + name, at)
  } catch {
    // Without storage only this visit counts.
  }
}
