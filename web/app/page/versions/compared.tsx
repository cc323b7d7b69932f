import type { Page } from '../../boot.ts'

/** The text difference of two versions. */
export function Compared(_: { page: Page; from: number; to: number; onClose(): void }) {
  return null
}
