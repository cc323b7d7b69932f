import type { Page } from '../../boot.ts'

/** How many passages of the draft differ from what is live, and which. */
export function Passages(_: { page: Page; live: number }) {
  return null
}
